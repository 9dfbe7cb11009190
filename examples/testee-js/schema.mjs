// The messages of ronda.v1 and ronda.conformance.v1 that this program reads and writes.

// A schema from words `name:number`, with `*` after a list and `?` after a number whose 0 is
// written; `types` holds what is no number.
function schema(text, types = {}) {
  return Object.fromEntries(text.split(" ").map((word) => {
    const [, name, number, sign] = /^(\w+):(\d+)([*?]?)$/.exec(word);
    const type = types[name] ?? (sign === "?" ? "n?" : "n");
    return [number, [name, sign === "*" ? [type] : type]];
  }));
}

const card = schema("rank:1 suit:2");
const cards = card;
const seat = schema("seat:1");
const cardOf = schema("seat:1 card:2", { card });
const cardsOf = schema("seat:1 cards:2*", { cards });
const shares = schema("side:1 points:2");
const ruleSet = schema(
  "id:1 seats:5* tableForbids:6* firstDealer:8 ladder:9* chainMinSeats:10 chainAcrossBatches:11 " +
    "mesa:12 mesaExcluded:13 timing:16 undeclaredDetection:27 challenge:28 dealerDuty:29 count:31 " +
    "scoring:32 target:33 winCheck:34 targetTie:35",
  {
    id: "s", seats: schema("count:1 opening:2"), firstDealer: schema("seat:1 drawn:2"),
    dealerDuty: schema("king:1 ace:2 miss:3"), count: schema("twoSides:1"),
  },
);
const move = schema("announce:1 pass:2 play:3 challenge:4 claim:5", {
  announce: schema("kind:1"), pass: {}, play: schema("card:1", { card }), challenge: seat, claim: seat,
});
const events = schema(
  "matchStarted:1 dealStarted:3 batchStarted:4 handDealt:5 tableTurned:6 " +
    "cardPlayed:10 cardsCaptured:11 cardLaid:12 playAwarded:15 leftoversTaken:24 pilesCounted:25 " +
    "dealEnded:26 matchEnded:27",
  {
    matchStarted: schema("seats:1"), dealStarted: schema("deal:1 dealer:2"),
    batchStarted: schema("batch:1 handSize:2 last:3"),
    handDealt: schema("seat:1 cardCount:2 cards:3*", { cards }),
    tableTurned: schema("cards:1*", { cards }),
    cardPlayed: cardOf, cardsCaptured: cardsOf, cardLaid: cardOf,
    playAwarded: schema("seat:1 caida:2 mesa:3 shares:4*", { shares }),
    leftoversTaken: cardsOf, pilesCounted: schema("piles:1* shares:2*", { shares }),
    dealEnded: schema("deal:1 scores:2*"), matchEnded: schema("winners:1* scores:2*"),
  },
);
const view = schema(
  "ruleSetId:1 seats:2 deal:3 dealer:4 batch:5 lastBatch:6 toAct:7* table:8* handSizes:9* " +
    "pileSizes:10* packSize:11 scores:12* caidaCard:14 lastCapturer:15? over:16 winners:17* asked:18",
  { ruleSetId: "s", table: card, caidaCard: card },
);
const seats = schema("public:1 seat:2 hand:3*", { public: view, hand: card });
const sight = schema("public:1 seats:2*", { public: view, seats });
const refusal = schema("reason:1 detail:2", { reason: "s", detail: "s" });
const step = schema("refusal:1 events:2* sight:3", { refusal, events, sight });

export const RunRequest = schema("ruleSet:1 seats:2 position:3 draws:4* drawnDealer:5 moves:6*", {
  ruleSet, position: "s", draws: card, moves: schema("seat:1 move:2", { move }),
});
export const RunResponse = schema("refusal:1 start:2 steps:3*", { refusal, start: step, steps: step });
