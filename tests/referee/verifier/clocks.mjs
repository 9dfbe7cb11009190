// The seats' clocks, as far as the records alone tell them (LOG-13).

import { wrong } from "./series.mjs";

export class SeatClocks {
  // `clockOf` gives the time of a record by its number.
  constructor(terms, seats, clockOf) {
    this.control = terms.time_control;
    this.clockOf = clockOf;
    this.banks = Array(seats).fill(this.control?.bank_ms);
    this.forfeited = new Set();
  }

  // Gives the deadline of a decision of a seat, or undefined where no clock of it runs.
  deadline(seat, decision) {
    if (this.control === undefined || this.forfeited.has(seat)) return undefined;
    return this.clockOf(decision) + this.control.per_move_ms + this.banks[seat];
  }

  checkDeadline(place, { seat, deadline_ms: recorded }, decision) {
    const expected = decision === undefined ? undefined : this.deadline(seat, decision);
    if (recorded !== expected) {
      throw wrong(place, "CLOCK_WRONG", "LOG-13", `deadline ${recorded}, and it was ${expected}`);
    }
    return expected;
  }

  checkLate(place, seat, deadline) {
    if (deadline === undefined || place.message.clock_ms < deadline) {
      throw wrong(place, "CLOCK_WRONG", "LOG-13", `the time of seat ${seat} had not run out`);
    }
  }

  checkInTime(place, seat, deadline) {
    if (deadline !== undefined && place.message.clock_ms >= deadline) {
      throw wrong(place, "CLOCK_WRONG", "LOG-13", `the time of seat ${seat} had run out`);
    }
  }

  answer(place, seat, decision) {
    if (this.control === undefined) return;
    const taken = place.message.clock_ms - this.clockOf(decision) - this.control.per_move_ms;
    this.banks[seat] += this.control.increment_ms - (taken > 0n ? taken : 0n);
  }

  runOut(seat) {
    this.banks[seat] = 0n;
  }
}
