// A deliberately partial engine: two seats, a table of four, captures, caida, mesa, count and target;
// no announcements, no chains, no mending of a table. Comments name the specification's clauses.

const RANKS = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]; // DEAL-1
const LAST_BATCH = 6, HAND = 3; // DEAL-5, two seats with a table of four
const EXCLUDED_LAST_CARD = 2, TIE_DRAW = 1, ASKED_CARD = 4;

export class Refused extends Error {
  constructor(reason, detail = "") {
    super(detail);
    this.reason = reason;
  }
}

export const pack = () => [1, 2, 3, 4].flatMap((suit) => RANKS.map((rank) => ({ rank, suit })));
export const same = (a, b) => a.rank === b.rank && a.suit === b.suit;
export const without = (cards, gone) => cards.filter((card) => !gone.some((one) => same(one, card)));
const isCard = (card) => card !== undefined && pack().some((one) => same(one, card));
const byRank = (cards) => [...cards].sort((a, b) => a.rank - b.rank);

export class Match {
  constructor(request) {
    this.rules = request.ruleSet;
    this.draws = [...request.draws];
    if (!this.draws.every(isCard)) throw new Refused("MALFORMED_REQUEST", "draws: no card");
    Object.assign(this, { deal: 0, dealer: 0, batch: 0, hands: [[], []], table: [], piles: [0, 0] });
    Object.assign(this, { scores: [0, 0], pack: [], turn: 0, todo: [], winners: [], events: [] });
  }

  begin() {
    this.say("matchStarted", { seats: 2 });
    this.beginDeal(this.rules.firstDealer?.seat ?? 1); // DEAL-3
  }

  say(kind, event) { this.events.push({ [kind]: event }); }

  beginDeal(dealer) {
    Object.assign(this, { deal: this.deal + 1, dealer, batch: 0, piles: [0, 0], pack: pack() });
    this.capturer = undefined;
    this.say("dealStarted", { deal: this.deal, dealer });
    this.beginBatch();
    this.todo.push(() => this.turnTable());
  }

  beginBatch() {
    this.batch += 1;
    if (!this.rules.chainAcrossBatches) this.laid = undefined; // CHAIN-2
    this.say("batchStarted", { batch: this.batch, handSize: HAND, last: this.batch === LAST_BATCH });
    this.turn = 1 - this.dealer;
    for (const seat of [this.turn, this.dealer]) this.todo.push(() => this.dealHand(seat));
  }

  draw(count) { // whole or not at all: too few draws leave the run waiting (DEAL-4)
    if (this.draws.length < count) return undefined;
    const cards = this.draws.splice(0, count);
    const left = without(this.pack, cards);
    if (this.pack.length - left.length < count) throw new Refused("DRAW_INVALID", "not in the pack");
    this.pack = left;
    return cards;
  }

  dealHand(seat) {
    const cards = this.draw(HAND);
    if (!cards) return false;
    this.hands[seat] = cards;
    this.say("handDealt", { seat, cardCount: HAND, cards });
    return true;
  }

  turnTable() {
    const cards = this.draw(4);
    if (cards === undefined) return false;
    this.table = byRank(cards);
    this.say("tableTurned", { cards });
    const ranks = this.table.map((card) => RANKS.indexOf(card.rank));
    const runs = ranks.every((rank, index) => rank === ranks[0] + index);
    if (new Set(ranks).size < 4 || (runs && this.rules.tableForbids.includes(2))) {
      throw new Refused("UNSUPPORTED", "this table is forbidden and would have to be mended");
    }
    return true;
  }

  unfold() { // goes on through what chance decides, and gives what has happened
    while (this.todo.length && this.todo[0]()) this.todo.shift();
    return this.events.splice(0);
  }

  move(seat, move) {
    const play = move?.play;
    const [kind] = Object.keys(move ?? {});
    if (!kind || (play && !isCard(play.card))) throw new Refused("MALFORMED_REQUEST");
    if (this.winners.length) throw new Refused("MATCH_OVER");
    if (this.todo.length || seat !== this.turn) throw new Refused("NOT_YOUR_TURN");
    if (move.pass) throw new Refused("NOTHING_TO_PASS");
    if (!play) throw new Refused(`${kind.toUpperCase()}_NOT_ALLOWED`); // a challenge, a claim
    if (!this.hands[seat].some((card) => same(card, play.card))) throw new Refused("CARD_NOT_IN_HAND");
    this.play(seat, play.card);
    if (this.hands.some((hand) => hand.length)) this.turn = 1 - seat;
    else if (this.batch < LAST_BATCH) this.beginBatch();
    else this.endDeal();
  }

  play(seat, card) {
    this.hands[seat] = without(this.hands[seat], [card]);
    this.say("cardPlayed", { seat, card });
    const above = RANKS.slice(RANKS.indexOf(card.rank)); // CAP-2, CAP-3
    const equals = above.map((rank) => this.table.find((one) => one.rank === rank));
    const taken = equals.slice(0, [...equals, undefined].indexOf(undefined));
    if (!taken.length) { // CAP-4
      this.say("cardLaid", { seat, card });
      Object.assign(this, { table: byRank([...this.table, card]), laid: card });
      return;
    }
    const caida = this.laid && same(this.laid, taken[0]) ? this.rules.ladder[0] ?? 0 : 0; // CHAIN-1
    Object.assign(this, { table: without(this.table, taken), capturer: seat, laid: undefined });
    this.piles[seat] += taken.length + 1; // CAP-5
    this.say("cardsCaptured", { seat, cards: taken });
    const mesa = this.table.length || this.isExcluded() ? 0 : this.rules.mesa ?? 0; // MESA-1
    const points = caida + mesa; // MESA-2
    this.scores[seat] += points;
    if (points) this.say("playAwarded", { seat, caida, mesa, shares: [{ side: seat, points }] });
  }

  isExcluded() { // MESA-3
    const excluded = this.rules.mesaExcluded;
    if (excluded === EXCLUDED_LAST_CARD && this.hands.some((hand) => hand.length)) return false;
    return this.batch === LAST_BATCH && excluded >= EXCLUDED_LAST_CARD;
  }

  endDeal() {
    if (this.table.length) { // CAP-6
      this.say("leftoversTaken", { seat: this.capturer, cards: this.table });
      this.piles[this.capturer] += this.table.length;
    }
    Object.assign(this, { table: [], laid: undefined });
    if (this.rules.count) { // COUNT-1
      const points = this.piles.map((pile) => Math.max(pile - (this.rules.count.twoSides ?? 0), 0));
      const shares = points.map((one, side) => ({ side, points: one })).filter((one) => one.points);
      this.scores = this.scores.map((score, side) => score + points[side]);
      this.say("pilesCounted", { piles: [...this.piles], shares });
    }
    this.say("dealEnded", { deal: this.deal, scores: [...this.scores] });
    const best = Math.max(...this.scores);
    const winners = [0, 1].filter((side) => this.scores[side] === best);
    const target = this.rules.target ?? 0;
    // MATCH-2 to MATCH-4
    if (best < target || (winners.length > 1 && target > 0 && this.rules.targetTie !== TIE_DRAW)) {
      this.beginDeal(1 - this.dealer);
    } else {
      this.winners = winners;
      this.say("matchEnded", { winners, scores: [...this.scores] });
    }
  }

  sight() {
    const over = this.winners.length > 0, toAct = over || this.todo.length ? [] : [this.turn];
    const view = {
      ruleSetId: this.rules.id, seats: 2, deal: this.deal, dealer: this.dealer, batch: this.batch,
      lastBatch: this.batch === LAST_BATCH, toAct, table: this.table,
      handSizes: this.hands.map((hand) => hand.length), pileSizes: [...this.piles],
      packSize: this.pack.length, scores: [...this.scores], caidaCard: this.laid,
      lastCapturer: this.capturer, over, winners: this.winners,
      asked: toAct.length ? ASKED_CARD : 0,
    };
    return { public: view, seats: this.hands.map((hand, seat) => ({ public: view, seat, hand })) };
  }
}
