// The messages of a log, as the schema's files in proto/ronda/v1 have them.
//
// A message has a line for each field: number, type, name. A name that ends in `[]` is repeated, one
// that ends in `?` has presence; `answer/kind` is a member of the oneof `answer`. Message fields have
// presence by themselves.

const TEXTS = {
  LogRecord: `1 uint64 sequence; 2 bytes previous_hash; 3 uint64 time_ms; 4 LogHeader record/header
    5 SeatJoined record/seat_joined; 6 MoveAccepted record/move_accepted
    7 EventLogged record/event_logged; 8 MatchResult record/match_result
    9 CommitmentOpening record/opening; 10 Signature record/signature
    11 ForfeitDeclared record/forfeit_declared; 12 uint64 clock_ms`,
  LogHeader: `1 uint32 format_version; 2 string engine_version; 3 string match_id; 4 RuleSet rule_set
    5 uint32 seats; 6 bytes seed_commitment; 7 bytes public_key; 8 bytes fixed_draws_commitment
    9 MatchTerms terms; 10 string shared_shuffle_id`,
  SeatJoined: `1 uint32 seat; 2 string name; 3 bytes entropy`,
  MoveAccepted: `1 uint32 seat; 2 uint64 decision_id; 3 string request_id; 4 Move move
    5 bytes commitment; 6 bool automatic; 7 uint64 deadline_ms?`,
  ForfeitDeclared: `1 uint32 seat; 2 enum reason; 3 uint64 decision_id; 4 uint64 deadline_ms?`,
  EventLogged: `1 Event event; 2 bytes commitment`,
  CommitmentOpening: `1 uint64 sequence; 2 bytes nonce; 3 bytes payload`,
  MatchResult: `1 enum reason; 2 uint32 winners[]; 3 uint32 scores[]; 4 bytes seed
    5 FixedDraws fixed_draws; 6 bytes fixed_draws_nonce`,
  FixedDraws: `1 Card cards[]`,
  Signature: `1 bytes signature`,

  MatchTerms: `1 TimeControl time_control; 2 enum time_out; 3 uint32 most_refusals
    4 uint64 join_timeout_ms; 5 uint32 spectator_delay`,
  TimeControl: `1 uint64 per_move_ms; 2 uint64 bank_ms; 3 uint64 increment_ms`,

  Card: `1 enum rank; 2 enum suit`,

  Move: `1 Announce move/announce; 2 Pass move/pass; 3 Play move/play; 4 Challenge move/challenge
    5 Claim move/claim`,
  Announce: `1 enum kind`,
  Pass: ``,
  Play: `1 Card card`,
  Challenge: `1 uint32 seat`,
  Claim: `1 uint32 seat`,

  Event: `1 MatchStarted event/match_started; 2 FirstDealerDrawn event/first_dealer_drawn
    3 DealStarted event/deal_started; 4 BatchStarted event/batch_started; 5 HandDealt event/hand_dealt
    6 TableTurned event/table_turned; 7 TableReturned event/table_returned
    8 AnnouncementMade event/announcement_made; 9 AnnouncementPassed event/announcement_passed
    10 CardPlayed event/card_played; 11 CardsCaptured event/cards_captured; 12 CardLaid event/card_laid
    13 CardsHeld event/cards_held; 14 ChainClosed event/chain_closed; 15 PlayAwarded event/play_awarded
    16 AnnouncementsRevealed event/announcements_revealed
    17 AnnouncementsAwarded event/announcements_awarded; 18 AwardWithdrawn event/award_withdrawn
    19 FalseAnnouncementPenalised event/false_announcement_penalised
    20 UndeclaredPenalised event/undeclared_penalised
    21 AnnouncementChallenged event/announcement_challenged; 22 WindowPassed event/window_passed
    23 DutyAwarded event/duty_awarded; 24 LeftoversTaken event/leftovers_taken
    25 PilesCounted event/piles_counted; 26 DealEnded event/deal_ended; 27 MatchEnded event/match_ended
    28 AnnouncementSealed event/announcement_sealed; 29 CardsDue event/cards_due
    30 CardsPaid event/cards_paid; 31 SeatForfeited event/seat_forfeited`,
  Share: `1 uint32 side; 2 uint32 points`,
  MatchStarted: `1 uint32 seats`,
  FirstDealerDrawn: `1 uint32 seat`,
  DealStarted: `1 uint32 deal; 2 uint32 dealer`,
  BatchStarted: `1 uint32 batch; 2 uint32 hand_size; 3 bool last`,
  HandDealt: `1 uint32 seat; 2 uint32 card_count; 3 Card cards[]`,
  TableTurned: `1 Card cards[]`,
  TableReturned: `1 enum found; 2 Card cards[]`,
  AnnouncementMade: `1 uint32 seat; 2 enum kind`,
  AnnouncementSealed: `1 uint32 seat; 2 enum answer/kind; 3 bool answer/passed`,
  AnnouncementPassed: `1 uint32 seat`,
  CardPlayed: `1 uint32 seat; 2 Card card`,
  CardsCaptured: `1 uint32 seat; 2 Card cards[]`,
  CardLaid: `1 uint32 seat; 2 Card card`,
  CardsHeld: `1 uint32 seat; 2 uint32 step; 3 Card cards[]; 4 uint32 mesa`,
  ChainClosed: `1 uint32 seat; 2 uint32 step; 3 uint32 card_count`,
  PlayAwarded: `1 uint32 seat; 2 uint32 caida; 3 uint32 mesa; 4 Share shares[]`,
  RevealedAnnouncement: `1 uint32 seat; 2 enum kind; 3 enum rank`,
  AnnouncementsRevealed: `1 uint32 batch; 2 RevealedAnnouncement announcements[]`,
  AnnouncementsAwarded: `1 uint32 batch; 2 Share shares[]`,
  AwardWithdrawn: `1 uint32 batch; 2 Share shares[]`,
  FalseAnnouncementPenalised: `1 uint32 batch; 2 uint32 seat; 3 enum kind; 4 Share shares[]`,
  UndeclaredPenalised: `1 uint32 batch; 2 uint32 seat; 3 enum kind; 4 Share shares[]
    5 uint32 claimant?`,
  AnnouncementChallenged: `1 uint32 challenger; 2 uint32 seat; 3 Card hand[]
    4 bool announcement_true`,
  WindowPassed: `1 uint32 seat`,
  DutyAwarded: `1 uint32 dealer; 2 Share shares[]`,
  CardsDue: `1 uint32 payer; 2 uint32 receiver; 3 uint32 cards; 4 bool award`,
  CardsPaid: `1 uint32 payer; 2 uint32 receiver; 3 uint32 cards`,
  LeftoversTaken: `1 uint32 seat; 2 Card cards[]`,
  PilesCounted: `1 uint32 piles[]; 2 Share shares[]`,
  DealEnded: `1 uint32 deal; 2 uint32 scores[]`,
  MatchEnded: `1 uint32 winners[]; 2 uint32 scores[]`,
  SeatForfeited: `1 uint32 seat`,

  RuleSet: `1 string id; 2 string title; 3 string summary; 4 string source; 5 SeatCount seats[]
    6 enum table_forbids[]; 7 enum table_remedy; 8 FirstDealer first_dealer; 9 uint32 ladder[]
    10 uint32 chain_min_seats; 11 bool chain_across_batches; 12 uint32 mesa; 13 enum mesa_excluded
    14 KindAmounts kinds; 15 enum double_ronda; 16 enum timing; 17 enum bluff; 18 enum rank_order
    19 enum payout; 20 enum announcement_tie; 21 enum all_rondas; 22 enum settle
    23 KindAmounts false_penalty; 24 uint32 false_penalty_cap; 25 enum penalty_to
    26 KindAmounts undeclared_penalty; 27 enum undeclared_detection; 28 bool challenge
    29 DealerDuty dealer_duty; 30 enum chain_payment; 31 CountThresholds count; 32 enum scoring
    33 uint32 target; 34 enum win_check; 35 enum target_tie`,
  SeatCount: `1 uint32 count; 2 enum opening`,
  FirstDealer: `1 uint32 choice/seat; 2 bool choice/drawn`,
  KindAmounts: `1 uint32 ronda; 2 uint32 tringa; 3 uint32 double_ronda`,
  DealerDuty: `1 uint32 king; 2 uint32 ace; 3 uint32 miss`,
  CountThresholds: `1 uint32 two_sides; 2 uint32 three_sides`,
};

function fieldOf(text) {
  const [number, type, written] = text.trim().split(/\s+/);
  const repeated = written.endsWith("[]");
  const [choice, name] = written.includes("/") ? written.split("/") : [undefined, written];
  return {
    number: Number(number),
    type,
    name: name.replace(/\[\]|\?/, ""),
    repeated,
    choice,
    presence: !repeated && (choice !== undefined || written.endsWith("?") || type in TEXTS),
  };
}

// The fields of each message by number.
export const SCHEMA = Object.fromEntries(
  Object.entries(TEXTS).map(([name, text]) => {
    const fields = text.split(/[;\n]/).filter((line) => line.trim() !== "").map(fieldOf);
    return [name, new Map(fields.map((field) => [field.number, field]))];
  }),
);
