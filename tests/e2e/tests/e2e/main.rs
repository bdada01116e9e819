//! The built page in real browsers against real servers.
//!
//! Each engine has a module with its tests, and the tests of an engine share its browsers. What is asserted is order, bounds
//! and exact values from ground truth; never that something took so many milliseconds.

mod accessible;
mod causes;
mod charts;
mod chat;
mod checks;
mod command;
mod decide;
mod dialects;
mod element;
mod ended;
mod exports;
mod faults;
mod fields;
mod formats;
mod gap;
mod grid;
mod hidden;
mod histograms;
mod history;
mod hosts;
mod https;
mod keyboard;
mod language;
mod layout;
mod lessons;
mod lifecycle;
mod links;
mod litellm;
mod llama;
mod load;
mod markdown;
mod measure;
mod modes;
mod network;
mod open;
mod otlp;
mod passive;
mod race;
mod routes;
mod secrets;
mod stop;
mod streaming;
mod validity;
mod workload;

use firstlight_e2e::Engine;
use firstlight_e2e::shared::Turn;

/// What these ask for are words, files, outcomes and places: it is no matter to them that another test goes on. All others measure
/// time, and are alone.
const BESIDE_OTHERS: [&str; 18] = [
    "accessible",
    "charts",
    "exports",
    "faults",
    "fields",
    "formats",
    "history",
    "hosts",
    "https",
    "language",
    "layout",
    "links",
    "litellm",
    "open",
    "routes",
    "secrets",
    "stop",
    "workload",
];

fn turn(of: &str, engine: Engine) -> Turn {
    if BESIDE_OTHERS.contains(&of) { Turn::beside_others(engine) } else { Turn::alone(engine) }
}

macro_rules! tests_of {
    ($engine:ident, $module:ident: $($of:ident::{$($name:ident),* $(,)?}),* $(,)?) => {
        mod $module {
            $(mod $of {
                $(#[test]
                fn $name() {
                    crate::$of::$name(&crate::turn(stringify!($of), crate::Engine::$engine));
                })*
            })*
        }
    };
}

// Loads, workloads and decisions are core's, the same in every engine: what is sent is looked at in all three, the rest in one.
tests_of!(Chromium, chromium:
    element::{it_measures_in_a_page_that_styles_everything, the_hosts_styles_do_not_reach_the_answers, two_on_a_page_do_not_measure_each_other, taken_out_it_stops_and_nothing_restarts, moved_it_goes_on, what_may_be_changed_is_the_hosts_to_say, a_race_starts_both_at_once, a_frame_speaks_with_whom_its_address_names},
    passive::{every_way_of_reading_is_as_without, what_a_response_says_of_itself_is_kept, everything_happens_in_the_same_order, cancelling_reaches_the_server, nothing_is_read_before_the_host_reads, errors_are_the_same, marks_lie_inside_the_servers_truth, of_two_at_once_no_network_timing_is_taken, stalls_are_found, a_hidden_page_claims_no_visibility, a_blocked_page_is_told, what_is_not_drawn_is_not_touched, text_is_kept_only_if_asked_for, reports_are_tried_again_and_never_dropped_in_silence, a_collector_is_left_alone_as_long_as_it_asks, a_report_survives_its_page, other_sources, the_joined_file_measures_as_well},
    measure::{its_figures_follow_the_servers_truth, answers_are_drawn_where_the_host_says, runs_are_stopped_refused_and_wait_for_each_other, a_policy_without_workers_is_told},
    chat::{its_marks_are_between_the_pages_own, its_streams_are_the_engines_own},
    charts::{every_chart_is_drawn_and_says_what_it_shows, keys_read_values_and_select_requests, a_brush_selects_in_all_charts, a_chart_is_saved_as_a_picture, an_answer_is_watched_again},
    accessible::{no_face_has_a_violation},
    gap::{delays_on_the_way_are_told_apart, each_part_is_within_its_bound, without_joined_clocks_nothing_is_called_a_way, the_servers_metrics_are_read_beside_it},
    causes::{buffered_upstream_and_coalesced_reads, compression_holds, browser_queue, preflight_each_time, cold_connections, unreadable_header, client_limited, render_bound, hidden_or_throttled, queue_outside_report, server_unit, batching, completion_unchanged, hidden_tail, cache_made_it_fast},
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_at_a_known_instant, the_table_is_computed_from_the_run},
    markdown::{its_first_characters_were_seen_at_a_known_instant, a_short_answer_has_a_beginning_and_an_end, of_a_long_answer_only_the_end_is_in_the_document},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_is_told_and_moves_no_stamp_of_a_worker, a_frozen_page_voids_what_was_under_way, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message, a_page_that_breaks_says_so},
    lifecycle::{a_page_made_in_advance_waits_until_somebody_goes_to_it},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    ended::{a_run_whose_page_ended_is_given_back, a_run_that_goes_on_in_another_tab_is_not_given_back},
    history::{runs_are_found_again_with_their_notes_until_deleted, the_oldest_go_over_the_limit_and_all_when_asked, no_key_is_in_what_is_kept, without_a_store_it_is_said_and_measured},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_measured},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    keyboard::{a_result_is_read_and_used_by_keys, a_run_is_started_again_and_stopped_by_keys},
    formats::{recordings_of_every_server, what_is_fixed_by_hand, a_recipe_fills_in_everything_but_the_key},
    language::{korean_and_back},
    layout::{nothing_is_wider_than_a_phone, the_button_stays_in_sight_beside_its_problems},
    lessons::{every_claim_is_borne_out, a_claim_that_is_contradicted_is_not, its_runs_are_those_of_the_measuring_page, it_fits_and_has_no_barriers},
    links::{a_set_up_opens_from_its_link_and_nothing_is_sent},
    exports::{the_page_writes_what_the_command_writes_and_others_read_it},
    hosts::{plain_html, react, vue, svelte, static_export, each_line_of_the_policy_is_needed},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing, a_saved_run_is_dropped_on_the_page},
    race::{forty_pairs_say_what_the_schedule_says, a_key_starts_every_lane_at_the_same_moment, the_record_of_the_press_agrees_with_the_page, keys_stop_it_and_fill_the_screen, a_link_opens_the_same_race_and_holds_no_key, a_real_engine_races_and_is_judged, it_fits_and_has_no_barriers},
    secrets::{a_key_is_sent_and_kept_nowhere},
    dialects::{each_fault_of_each_dialect_has_its_outcome},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_reset_connection},
    llama::{spans_of_a_stream, spans_of_a_whole_answer, waiting_for_a_slot_is_unattributed, a_queue_for_both_slots_is_found_outside_the_report, a_prompt_over_the_context, killed_in_the_middle},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
    litellm::{its_headers_are_hidden_from_other_origins, the_forwarder_shows_its_headers, messages_as_anthropic_streams_them, errors_that_can_be_read_and_errors_that_cannot, the_upstreams_death},
    workload::{cases_are_sent_as_they_stand_and_judged, a_later_turn_holds_the_answers_that_were_given, a_warm_up_inside_a_conversation_leaves_no_turn_without_its_past, conversations_at_once_keep_apart, the_prefix_cache_is_left_or_broken_or_warmed, held_out_cases_are_for_the_confirmation_alone, wrong_lines_are_named_and_nothing_is_sent, generated_prompts_differ_and_carry_their_limits, a_saved_run_asks_the_same_again},
    decide::{a_decision_is_answered_by_intervals, attainment_and_goodput_follow_from_the_run, two_endpoints_are_measured_by_turns, a_canary_gets_one_in_five, a_slow_canary_ends_the_run_and_the_verdict_has_its_interval, a_saved_run_is_the_baseline_and_contexts_come_first, spend_is_capped_told_and_ended, wrong_lines_are_named_and_nothing_is_sent, every_control_has_its_name_in_sight, every_control_is_reached_and_changed_by_keys},
    load::{an_open_loop_keeps_to_its_plan, a_sweep_ends_where_the_slots_do, a_stall_shows_in_response_times_and_hides_in_a_closed_loop, a_hidden_page_pauses_an_open_loop, what_is_not_done_after_the_grace_is_cut, users_give_up_as_the_plan_says, bad_input_is_named_and_kept_and_nothing_is_sent, a_stop_rule_ends_the_run_early, a_hundred_streams_at_once},
);
tests_of!(Firefox, firefox:
    element::{it_measures_in_a_page_that_styles_everything, the_hosts_styles_do_not_reach_the_answers, two_on_a_page_do_not_measure_each_other, taken_out_it_stops_and_nothing_restarts, moved_it_goes_on, a_race_starts_both_at_once, a_frame_speaks_with_whom_its_address_names},
    passive::{every_way_of_reading_is_as_without, what_a_response_says_of_itself_is_kept, everything_happens_in_the_same_order, cancelling_reaches_the_server, nothing_is_read_before_the_host_reads, errors_are_the_same, marks_lie_inside_the_servers_truth, of_two_at_once_no_network_timing_is_taken, stalls_are_found, a_hidden_page_claims_no_visibility, a_blocked_page_is_told, what_is_not_drawn_is_not_touched, text_is_kept_only_if_asked_for, reports_are_tried_again_and_never_dropped_in_silence, a_collector_is_left_alone_as_long_as_it_asks, a_report_survives_its_page, other_sources},
    measure::{its_figures_follow_the_servers_truth, answers_are_drawn_where_the_host_says, runs_are_stopped_refused_and_wait_for_each_other, a_policy_without_workers_is_told},
    chat::{its_marks_are_between_the_pages_own, its_streams_are_the_engines_own},
    charts::{every_chart_is_drawn_and_says_what_it_shows, keys_read_values_and_select_requests, a_chart_is_saved_as_a_picture},
    gap::{delays_on_the_way_are_told_apart},
    // Reads, connections, permissions and paints are the engine's own.
    causes::{buffered_upstream_and_coalesced_reads, compression_holds, browser_queue, preflight_each_time, cold_connections, unreadable_header, client_limited, render_bound, hidden_or_throttled},
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_within_bounds, the_table_is_computed_from_the_run},
    markdown::{its_first_characters_were_seen_within_bounds, a_short_answer_has_a_beginning_and_an_end, of_a_long_answer_only_the_end_is_in_the_document},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_is_told_and_moves_no_stamp_of_a_worker, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message, a_page_that_breaks_says_so},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    ended::{a_run_whose_page_ended_is_given_back},
    history::{runs_are_found_again_with_their_notes_until_deleted, no_key_is_in_what_is_kept},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_measured},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    keyboard::{a_result_is_read_and_used_by_keys, a_run_is_started_again_and_stopped_by_keys},
    formats::{recordings_of_some_servers, what_is_fixed_by_hand},
    language::{korean_and_back},
    lessons::{two_claims_are_borne_out},
    hosts::{plain_html},
    links::{a_set_up_opens_from_its_link_and_nothing_is_sent},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing, a_saved_run_is_dropped_on_the_page},
    race::{forty_pairs_say_what_the_schedule_says, a_key_starts_every_lane_at_the_same_moment, keys_stop_it_and_fill_the_screen, a_link_opens_the_same_race_and_holds_no_key},
    secrets::{a_key_is_sent_and_kept_nowhere},
    dialects::{each_fault_of_each_dialect_has_its_outcome},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_reset_connection},
    llama::{spans_of_a_stream, spans_of_a_whole_answer, waiting_for_a_slot_is_unattributed, a_prompt_over_the_context, killed_in_the_middle},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
    litellm::{the_forwarder_shows_its_headers},
    workload::{cases_are_sent_as_they_stand_and_judged},
    // Timers, hiding and network timing are the engine's own.
    load::{an_open_loop_keeps_to_its_plan, a_hidden_page_pauses_an_open_loop, a_hundred_streams_at_once},
);
tests_of!(WebKit, webkit:
    element::{it_measures_in_a_page_that_styles_everything, the_hosts_styles_do_not_reach_the_answers, two_on_a_page_do_not_measure_each_other, taken_out_it_stops_and_nothing_restarts, moved_it_goes_on, a_race_starts_both_at_once, a_frame_speaks_with_whom_its_address_names},
    passive::{every_way_of_reading_is_as_without, what_a_response_says_of_itself_is_kept, everything_happens_in_the_same_order, cancelling_reaches_the_server, nothing_is_read_before_the_host_reads, errors_are_the_same, marks_lie_inside_the_servers_truth, of_two_at_once_no_network_timing_is_taken, stalls_are_found, a_hidden_page_claims_no_visibility, a_blocked_page_is_told, what_is_not_drawn_is_not_touched, text_is_kept_only_if_asked_for, reports_are_tried_again_and_never_dropped_in_silence, a_collector_is_left_alone_as_long_as_it_asks, a_report_survives_its_page, other_sources},
    measure::{its_figures_follow_the_servers_truth, answers_are_drawn_where_the_host_says, runs_are_stopped_refused_and_wait_for_each_other, a_policy_without_workers_is_told},
    chat::{its_marks_are_between_the_pages_own, its_streams_are_the_engines_own},
    charts::{every_chart_is_drawn_and_says_what_it_shows, a_chart_is_saved_as_a_picture},
    gap::{delays_on_the_way_are_told_apart},
    // A main thread that has no time to draw has none to hand a reply on either: none is bound by drawing alone.
    causes::{buffered_upstream_and_coalesced_reads, compression_holds, browser_queue, preflight_each_time, cold_connections, unreadable_header, client_limited, hidden_or_throttled},
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_within_bounds, the_table_is_computed_from_the_run},
    markdown::{its_first_characters_were_seen_within_bounds, a_short_answer_has_a_beginning_and_an_end, of_a_long_answer_only_the_end_is_in_the_document},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_makes_stamps_late_and_it_is_said, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message, a_page_that_breaks_says_so},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    ended::{a_run_whose_page_ended_is_given_back},
    history::{runs_are_found_again_with_their_notes_until_deleted, no_key_is_in_what_is_kept},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_blocked_in_webkit},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    keyboard::{a_result_is_read_and_used_by_keys, a_run_is_started_again_and_stopped_by_keys},
    formats::{recordings_of_some_servers, what_is_fixed_by_hand},
    language::{korean_and_back},
    lessons::{two_claims_are_borne_out},
    hosts::{plain_html},
    links::{a_set_up_opens_from_its_link_and_nothing_is_sent},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing, a_saved_run_is_dropped_on_the_page},
    race::{forty_pairs_say_what_the_schedule_says, a_key_starts_every_lane_at_the_same_moment, keys_stop_it_and_fill_the_screen, a_link_opens_the_same_race_and_holds_no_key},
    secrets::{a_key_is_sent_and_kept_nowhere},
    dialects::{each_fault_of_each_dialect_has_its_outcome},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_cut_body_ends_cleanly_in_webkit},
    llama::{spans_of_a_stream, spans_of_a_whole_answer},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
    workload::{cases_are_sent_as_they_stand_and_judged},
    // Timers are the engine's own.
    load::{an_open_loop_keeps_to_its_plan},
);
