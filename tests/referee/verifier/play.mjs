// Play, followed from event to event (LOG-10 to LOG-15, SHUFFLE-5 to SHUFFLE-7).
//
// The rules are not known here: which events follow is taken from the log. What the events draw, hide
// and answer is checked.

import { SeatClocks } from "./clocks.mjs";
import { cardOf } from "./secrets.mjs";
import { wrong } from "./series.mjs";
import { cardText, DrawImpossible, DrawsExhausted } from "./shuffle.mjs";

const TIME_OUT = 1;
const RESIGNED = 2;
const REFUSALS = 3;
const SIMULTANEOUS = 3;
const CARD_TRANSFER = 2;
const FORFEIT = 1;
const AUTOMATIC = 2;

const sideOf = (seat, seats) => (seats === 4 ? seat % 2 : seat);
const texts = (cards) => cards.map((card) => (card === undefined ? "?" : cardText(card))).join(" ");

export class Play {
  constructor(series, secrets, header, headerPlace, draws) {
    Object.assign(this, { series, secrets, header, headerPlace, draws });
    this.seats = header.seats;
    this.clocks = new SeatClocks(
      header.terms,
      header.seats,
      (number) => series.records[Number(number)].message.clock_ms,
    );
    this.forfeited = new Set();
    // The decisions that seats left open when they forfeited.
    this.left = new Map();
    this.requests = new Set();
    this.deal = 0;
    this.lastEvent = undefined;
    // The seats whose sealed answers are in, and after which record they were asked.
    this.sealed = new Map();
    this.asked = undefined;
    this.ended = undefined;
    this.scores = Array(header.seats === 3 ? 3 : 2).fill(0);
    this.moves = 0;
    this.tables = 0;
  }

  run() {
    this.takeEvents(undefined);
    while (this.ended === undefined && this.series.coming !== "match_result") {
      const place = this.series.take(["move_accepted", "forfeit_declared"]);
      if (place.message.record === "move_accepted") this.takeMove(place);
      else this.takeForfeit(place);
    }
  }

  get sidesLeft() {
    const out = new Set([...this.forfeited].map((seat) => sideOf(seat, this.seats)));
    return this.scores.map((_, side) => side).filter((side) => !out.has(side));
  }

  // Takes the events up to the next move; `first` checks the first of them. Those of a forfeit ask
  // nobody anything: who was asked before still is.
  takeEvents(first, asking = true) {
    let check = first;
    do {
      const place = this.series.take("event_logged", "EVENT_MISSING");
      const event = this.opened(place);
      if (check !== undefined && !check(event)) {
        throw wrong(place, "EVENT_WRONG", "LOG-11", `${event.event} does not follow`);
      }
      check = undefined;
      if (asking) this.lastEvent = BigInt(place.number);
      this.follow(place, event);
    } while (this.series.coming === "event_logged" && this.ended === undefined);
  }

  // Gives an event in full, as far as it is opened; `hides` where its cards or answer are not known.
  opened(place) {
    const { event, commitment } = place.message.event_logged;
    const kind = event?.event;
    if (kind === undefined) throw wrong(place, "EVENT_WRONG", "LOG-11", "no event");
    const hidden = kind === "hand_dealt" || kind === "announcement_sealed";
    if (!hidden) {
      if (commitment.length > 0) {
        throw wrong(place, "COMMITMENT_WRONG", "LOG-12", `${kind} hides nothing`);
      }
      return event;
    }
    const shown = event[kind];
    if (kind === "hand_dealt" ? shown.cards.length > 0 : shown.answer !== undefined) {
      throw wrong(place, "COMMITMENT_WRONG", "LOG-12", `${kind} shows what it hides`);
    }
    const full = this.secrets.open(place, commitment, "Event");
    if (full === undefined) return { event: kind, [kind]: { ...shown, hides: true } };
    const inFull = full[kind];
    const same = inFull !== undefined && inFull.seat === shown.seat
      && inFull.card_count === shown.card_count;
    if (!same) {
      const otherHand = inFull !== undefined && kind === "hand_dealt";
      const [code, clause] = otherHand ? ["DRAW_WRONG", "SHUFFLE-6"] : ["EVENT_WRONG", "LOG-17"];
      throw wrong(place, code, clause, `another ${kind} is committed to`);
    }
    return full;
  }

  follow(place, event) {
    const body = event[event.event];
    switch (event.event) {
      case "first_dealer_drawn":
        this.draw(place, () => [this.draws.dealer(this.seats)], [body.seat]);
        this.dealerDrawn = true;
        return;
      case "deal_started":
        this.startDeal(place, body);
        return;
      case "hand_dealt": {
        const given = body.hides ? undefined : body.cards.map(cardOf);
        this.draw(place, () => this.draws.cards(body.card_count), given);
        return;
      }
      case "table_turned":
        this.draw(place, () => this.draws.turn(body.cards.length), body.cards.map(cardOf));
        this.tables += 1;
        return;
      case "table_returned":
        this.giveBack(place, body.cards.map(cardOf));
        return;
      case "announcement_sealed":
        if (this.sealed.has(body.seat)) {
          throw wrong(place, "EVENT_WRONG", "LOG-11", `seat ${body.seat} answers twice`);
        }
        this.sealed.set(body.seat, body);
        return;
      case "announcement_made":
      case "announcement_passed":
        if (this.header.rule_set.timing === SIMULTANEOUS) this.unseal(place, event.event, body);
        return;
      case "deal_ended":
        this.scores = body.scores;
        return;
      case "match_ended":
        this.ended = body;
        return;
      case "seat_forfeited":
        this.forfeited.add(body.seat);
        return;
      default:
        this.gain(event.event, body);
    }
  }

  // Adds up points, which a cancelled match shows without an event that states them.
  gain(kind, { shares }) {
    const inCards = this.header.rule_set.scoring === CARD_TRANSFER && kind !== "piles_counted";
    if (shares === undefined || inCards) return;
    const sign = kind === "award_withdrawn" ? -1 : 1;
    this.scores = this.scores.map(
      (score, side) => score + sign * (shares.find((share) => share.side === side)?.points ?? 0),
    );
  }

  // A sealed answer is shown as it was given, once all are in.
  unseal(place, kind, { seat, kind: announced }) {
    const answer = this.sealed.get(seat);
    this.sealed.delete(seat);
    this.asked = undefined;
    if (answer === undefined || answer.hides) return;
    if (answer.passed !== undefined ? kind !== "announcement_passed" : answer.kind !== announced) {
      throw wrong(place, "EVENT_WRONG", "LOG-17", `seat ${seat} had answered otherwise`);
    }
  }

  startDeal(place, { deal }) {
    if (this.deal === 0 && Boolean(this.header.rule_set.first_dealer?.drawn) !== Boolean(this.dealerDrawn)) {
      throw wrong(place, "EVENT_WRONG", "LOG-11", "the first dealer is drawn, or not, as the rules say");
    }
    if (deal !== this.deal + 1) throw wrong(place, "EVENT_WRONG", "LOG-11", `deal ${deal}`);
    this.deal = deal;
    this.draws?.startDeal(deal);
  }

  // Compares what was drawn with what is given; `given` is undefined where it is not known yet.
  draw(place, drawn, given) {
    if (this.draws === undefined) return;
    let expected;
    try {
      expected = drawn();
    } catch (error) {
      if (error instanceof DrawsExhausted || (error instanceof DrawImpossible && this.draws.fixed)) {
        throw wrong(this.headerPlace, "FIXED_DRAWS_INVALID", "SHUFFLE-7", error.message);
      }
      if (!(error instanceof DrawImpossible)) throw error;
      throw wrong(place, "DRAW_WRONG", "SHUFFLE-6", error.message);
    }
    if (given !== undefined && texts(given) !== texts(expected)) {
      const detail = `${texts(given)} is given, and ${texts(expected)} was to be drawn`;
      throw wrong(place, "DRAW_WRONG", "SHUFFLE-5", detail);
    }
  }

  giveBack(place, cards) {
    if (this.draws === undefined) return;
    if (cards.some((card) => card === undefined || this.draws.pack.includes(card))) {
      throw wrong(place, "EVENT_WRONG", "LOG-11", `${texts(cards)} cannot go back`);
    }
    this.draws.giveBack(cards);
  }

  takeMove(place) {
    const accepted = place.message.move_accepted;
    const { seat } = accepted;
    if (seat >= this.seats) throw wrong(place, "MOVE_ILLEGAL", "LOG-10", `there is no seat ${seat}`);
    if (!accepted.automatic) this.checkRequest(place, accepted);
    const move = this.recordedMove(place, accepted);
    this.checkDecision(place, seat, accepted.decision_id);
    const deadline = this.clocks.checkDeadline(place, accepted, accepted.decision_id);
    this.left.delete(seat);
    if (accepted.automatic) this.takeAutomatic(place, accepted, deadline);
    else {
      if (this.forfeited.has(seat)) {
        throw wrong(place, "FORFEIT_WRONG", "LOG-14", `seat ${seat} has forfeited`);
      }
      this.clocks.checkInTime(place, seat, deadline);
      this.clocks.answer(place, seat, accepted.decision_id);
    }
    this.moves += 1;
    this.takeEvents((event) => follows(event, seat, move));
  }

  checkRequest(place, { seat, request_id: id }) {
    if (id === "") throw wrong(place, "REQUEST_ID_MISSING", "LOG-10", "the request id is empty");
    const request = `${seat} ${id}`;
    if (this.requests.has(request)) throw wrong(place, "REQUEST_ID_REUSED", "LOG-10", id);
    this.requests.add(request);
  }

  // Gives the move, or undefined where it is hidden and nothing opens it.
  recordedMove(place, { move, commitment }) {
    const next = this.series.records[this.series.next]?.message;
    // Where the file ends here, it cannot be told whether the move had to be hidden.
    const hidden = next === undefined
      ? commitment.length > 0
      : next.event_logged?.event?.event === "announcement_sealed";
    if (!hidden) {
      if (commitment.length > 0) {
        throw wrong(place, "COMMITMENT_WRONG", "LOG-12", "the move hides nothing");
      }
      if (move?.move === undefined) throw wrong(place, "MOVE_ILLEGAL", "LOG-10", "there is no move");
      return move;
    }
    if (this.asked === undefined) this.asked = this.lastEvent;
    if (move !== undefined) {
      throw wrong(place, "COMMITMENT_WRONG", "LOG-12", "the move must be hidden, and is not");
    }
    const opened = this.secrets.open(place, commitment, "Move");
    // Without the seed the log is not finished, or its result is found.
    if (opened === undefined && this.draws !== undefined) {
      throw wrong(place, "OPENING_WRONG", "LOG-17", "no opening shows the hidden move");
    }
    return opened;
  }

  // A decision is named by the event after which its seat was asked (LOG-10).
  checkDecision(place, seat, decision) {
    const expected = this.left.get(seat) ?? this.asked ?? this.lastEvent;
    if (decision !== expected) {
      throw wrong(place, "DECISION_WRONG", "LOG-10", `${decision}, and ${expected} was open`);
    }
  }

  takeAutomatic(place, accepted, deadline) {
    const { seat } = accepted;
    if (this.forfeited.has(seat)) {
      if (this.series.clock !== this.series.before.clock) {
        throw wrong(place, "CLOCK_WRONG", "LOG-15", `the move for seat ${seat} does not come at once`);
      }
    } else if (this.header.terms.time_out === AUTOMATIC) {
      this.clocks.checkLate(place, seat, deadline);
      this.clocks.runOut(seat);
    } else {
      throw wrong(place, "AUTOMATIC_MOVE_WRONG", "LOG-15", `seat ${seat} moves by itself`);
    }
    if (accepted.request_id !== "") {
      throw wrong(place, "AUTOMATIC_MOVE_WRONG", "LOG-15", "it has a request id");
    }
  }

  takeForfeit(place) {
    const declared = place.message.forfeit_declared;
    const { seat, reason, decision_id: decision } = declared;
    const { terms } = this.header;
    const known = [RESIGNED];
    if (terms.time_out === FORFEIT) known.push(TIME_OUT);
    if (terms.most_refusals > 0) known.push(REFUSALS);
    if (seat >= this.seats || this.forfeited.has(seat) || !known.includes(reason)) {
      throw wrong(place, "FORFEIT_WRONG", "LOG-14", `seat ${seat} cannot forfeit for ${reason}`);
    }
    if (decision !== 0n) {
      this.checkDecision(place, seat, decision);
      this.left.set(seat, decision);
    }
    const deadline = this.clocks.checkDeadline(place, declared, decision === 0n ? undefined : decision);
    if (reason === TIME_OUT) this.clocks.checkLate(place, seat, deadline);
    else this.clocks.checkInTime(place, seat, deadline);
    this.clocks.forfeited.add(seat);
    const isIt = (event) => event.event === "seat_forfeited" && event.seat_forfeited.seat === seat;
    this.takeEvents(isIt, false);
  }
}

// Whether an event is the first one after a move (LOG-11).
function follows(event, seat, move) {
  const body = event[event.event];
  if (move === undefined) return event.event === "announcement_sealed" && body.seat === seat;
  switch (move.move) {
    case "play":
      return event.event === "card_played" && body.seat === seat
        && body.card !== undefined && cardOf(body.card) === cardOf(move.play.card ?? {});
    case "announce":
      return ["announcement_made", "announcement_sealed"].includes(event.event)
        && body.seat === seat && (body.hides || body.kind === move.announce.kind);
    case "pass":
      if (body.seat !== seat) return false;
      if (event.event === "announcement_sealed") return body.hides || body.passed === true;
      return ["announcement_passed", "window_passed"].includes(event.event);
    case "challenge":
      return event.event === "announcement_challenged" && body.challenger === seat;
    default:
      return event.event === "undeclared_penalised" && body.claimant === seat;
  }
}
