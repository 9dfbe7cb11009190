"""What goes wrong has one declared consequence each, and a test that makes it happen.

The table names the tests; whoever renames or removes one of them is told here.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]

# What may go wrong, and the tests that make it happen and see the consequence.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "an illegal or malformed move is refused with its reason, and nothing changes": (
        "referee/test_service.py::test_a_wrong_move_is_refused_with_its_reason_and_changes_nothing",
        (
            "referee/test_play_stream.py::"
            "test_moves_are_refused_as_by_the_simple_call_and_nothing_else_is_harmed"
        ),
    ),
    "with the last refusal that is allowed the seat forfeits": (
        "referee/test_terms.py::test_a_seat_whose_moves_are_refused_too_often_forfeits",
    ),
    "a seat whose time runs out forfeits": (
        "referee/test_terms.py::test_a_seat_that_does_not_answer_in_time_forfeits",
        "referee/test_terms.py::test_a_late_move_is_no_move",
    ),
    "or the referee moves for it, as the match was created": (
        "referee/test_terms.py::test_a_match_can_be_played_by_the_clock_alone",
        "referee/test_commands_in_line.py::test_where_a_clock_gives_no_time_nothing_comes_between",
    ),
    "the deadline is part of the log, and a replay runs out of time where the match did": (
        "referee/test_clocks.py::test_a_match_comes_back_with_its_clocks",
        "referee/test_clocks.py::test_a_false_deadline_is_found",
        "referee/test_any_course.py::test_a_match_of_any_course_comes_back_and_audits",
    ),
    "while a bot is disconnected or has crashed its clock runs": (
        (
            "referee/test_traps.py::"
            "test_a_bot_that_crashes_comes_back_to_its_decision_and_the_clock_has_run"
        ),
        "referee/test_terms.py::test_a_clock_runs_while_its_match_is_asleep",
    ),
    "a seat returns with its token, goes on from its last record, and has its decision": (
        "referee/test_watching.py::test_a_stream_can_be_resumed_from_any_record",
        "referee/test_watching.py::test_a_seat_is_asked_and_asked_again_when_it_comes_back",
        (
            "referee/test_play_stream.py::"
            "test_a_seat_comes_back_over_another_stream_and_has_its_turn_again"
        ),
        "clients/test_end_to_end.py::test_bot_that_was_restarted_plays_its_seat_on",
    ),
    "a match that is not joined in time is cancelled": (
        "referee/test_terms.py::test_a_match_that_is_not_joined_in_time_is_cancelled",
    ),
    "a referee that stops or is killed goes on with every match where it was": (
        "referee/test_recovery.py::test_a_kill_loses_no_acknowledged_move_and_every_match_goes_on",
        "referee/test_recovery.py::test_a_match_goes_on_after_a_restart_as_if_nothing_had_happened",
        (
            "referee/test_power_cuts.py::"
            "test_whatever_a_power_cut_leaves_every_acknowledged_write_is_there"
        ),
    ),
    "no clock runs while it is down, nor while others are brought back or the disk fails": (
        "referee/test_terms.py::test_no_clock_runs_while_the_referee_is_down",
        (
            "referee/test_commands_in_line.py::"
            "test_nobody_pays_for_the_time_in_which_others_are_brought_back"
        ),
        "referee/test_commands_in_line.py::test_a_disk_that_refuses_takes_no_time_from_a_seat",
    ),
    "a fault of the referee freezes its match, and no other": (
        "referee/test_recovery.py::test_a_fault_of_the_referee_freezes_its_match_and_no_other",
        (
            "referee/test_recovery.py::"
            "test_rows_that_contradict_themselves_freeze_their_match_and_no_other"
        ),
    ),
    "a disk that fails freezes nothing": (
        "referee/test_recovery.py::test_a_disk_that_refuses_holds_up_its_match_and_no_other",
        "referee/test_commands_in_line.py::test_a_disk_that_cannot_be_read_freezes_nothing",
        (
            "referee/test_commands_in_line.py::"
            "test_a_time_out_that_could_not_be_written_is_written_later"
        ),
    ),
    "a slow watcher's stream is ended with the sequence to resume from": (
        (
            "referee/test_slow_watchers.py::"
            "test_a_watcher_that_does_not_read_is_ended_with_where_to_go_on"
        ),
        "referee/test_slow_watchers.py::test_a_stream_that_plays_and_does_not_read_is_ended",
        "referee/test_slow_watchers.py::test_a_watch_of_the_client_goes_on_by_itself",
        "clients/test_seat_stream.py::test_stream_that_breaks_off_is_gone_on_with",
    ),
    "and nobody else waits for it": (
        "referee/test_slow_watchers.py::test_nobody_else_waits_for_a_watcher_that_does_not_read",
        (
            "referee/test_slow_watchers.py::"
            "test_its_place_is_free_for_others_and_its_stream_is_on_its_own_account"
        ),
    ),
    "with two or four seats the side of a seat that forfeits has lost at once": (
        "referee/test_terms.py::test_a_seat_resigns_and_the_other_has_won",
        (
            "referee/test_clocks.py::"
            "test_seats_that_are_late_at_once_are_taken_in_order_of_their_deadlines"
        ),
    ),
    "with three seats the referee plays for it and the others play to the end": (
        "referee/test_clocks.py::test_with_three_seats_the_referee_plays_for_the_one_that_forfeits",
        (
            "clients/test_leaving.py::"
            "test_with_three_seats_a_bot_that_resigned_watches_the_others_play_on"
        ),
    ),
}

# Traps that others have met, and the tests that set them off.
TRAPS: dict[str, tuple[str, ...]] = {
    "a caller's cancellation or deadline arrives inside the handler": (
        "referee/test_recovery.py::test_a_caller_that_goes_away_does_not_stop_its_move",
        "referee/test_traps.py::test_a_deadline_inside_the_handler_loses_no_move",
        (
            "referee/test_play_stream_limits.py::"
            "test_a_client_that_goes_loses_no_move_under_way_and_leaves_nothing_behind"
        ),
    ),
    "a stream that is not read takes without bound": (
        (
            "referee/test_play_stream_limits.py::"
            "test_a_stream_that_is_never_read_takes_little_and_holds_nobody_up"
        ),
        "referee/test_play_stream_limits.py::test_no_more_is_taken_in_than_can_be_answered",
        "referee/test_slow_watchers.py::test_a_log_that_is_not_read_is_ended_too",
        "referee/test_slow_watchers.py::test_a_program_that_stands_still_is_cut_off",
    ),
    "a second server shares the port": (
        "referee/test_server.py::test_a_second_referee_cannot_have_the_same_port",
    ),
    "a client's pings end an idle stream": (
        "referee/test_limits.py::test_a_client_that_pings_as_often_as_it_may_keeps_its_stream",
        "referee/test_watching.py::test_a_watcher_gets_signs_of_life",
    ),
    "a server stops before its watchers know": (
        "referee/test_server.py::test_a_signal_stops_it_in_order",
        "referee/test_play_stream_limits.py::test_a_referee_that_shuts_down_says_where_to_go_on",
    ),
    "messages, metadata and streams without limits": (
        "referee/test_service.py::test_a_request_over_64_kib_is_refused",
        "referee/test_limits.py::test_much_metadata_is_refused_and_the_connection_lives",
        "referee/test_limits.py::test_too_many_streams_of_one_peer",
        "referee/test_limits.py::test_spectators_never_keep_a_player_out",
    ),
    "UNAVAILABLE is taken for a refusal, or the move goes out as another one": (
        "clients/test_client.py::test_move_whose_answer_was_lost_goes_out_again_unchanged",
        "clients/test_seat_stream.py::test_move_that_cannot_be_taken_now_goes_out_again_unchanged",
        "referee/test_service.py::test_the_same_request_id_and_contents_get_the_same_answer",
    ),
    "a process is forked once gRPC is up": (
        "referee/test_traps.py::test_nothing_forks_once_grpc_is_up",
    ),
    "a player who comes back is taken for a spectator, or is shown a hand": (
        "referee/test_watching.py::test_a_seat_is_asked_and_asked_again_when_it_comes_back",
        "referee/test_watching.py::test_a_watcher_gets_the_whole_chain_and_only_its_own_openings",
        "referee/test_secrecy.py::test_no_byte_depends_on_what_the_watcher_cannot_know",
    ),
    "what everyone knows takes a seat": (
        "referee/test_traps.py::test_what_everyone_knows_takes_no_seat",
    ),
    "times are compared across clocks": (
        "referee/test_traps.py::test_no_message_says_when_something_is_too_late",
    ),
    "what is idle holds queues and memory": (
        "referee/test_traps.py::test_a_match_that_is_idle_holds_little",
        "referee/test_terms.py::test_matches_that_are_idle_leave_memory_and_nobody_notices",
    ),
    "one draw's randomness is used in another": (
        "referee/test_shuffle.py::test_match_draws_give_each_deal_its_own_stream",
        "referee/test_shuffle.py::test_bytes_that_would_favour_low_numbers_are_passed_over",
    ),
}


@cache
def names_in(file: str) -> frozenset[str]:
    """Give the names of the tests in a file."""
    tree = ast.parse((_TESTS / file).read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))


@pytest.mark.parametrize("what", [*CONSEQUENCES, *TRAPS])
def test_a_test_makes_it_happen(what: str) -> None:
    """Each line of the table has tests, and they are there."""
    tests = {**CONSEQUENCES, **TRAPS}[what]
    assert tests
    for test in tests:
        file, _, name = test.partition("::")
        assert name.startswith("test_")
        assert name in names_in(file), test
