//! The built page in real browsers against real servers.
//!
//! Each engine has a module with its tests, and all tests of an engine share one browser. What is asserted is order, bounds
//! and exact values from ground truth; never that something took so many milliseconds.

mod checks;
mod command;
mod faults;
mod fields;
mod formats;
mod hidden;
mod https;
mod language;
mod layout;
mod litellm;
mod llama;
mod modes;
mod network;
mod open;
mod routes;
mod secrets;
mod stop;
mod streaming;
mod validity;

use firstlight_e2e::Engine;
use firstlight_e2e::shared::Turn;

macro_rules! tests_of {
    ($engine:ident, $module:ident: $($of:ident::{$($name:ident),* $(,)?}),* $(,)?) => {
        mod $module {
            $(mod $of {
                $(#[test]
                fn $name() {
                    crate::$of::$name(&crate::Turn::take(crate::Engine::$engine));
                })*
            })*
        }
    };
}

tests_of!(Chromium, chromium:
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_at_a_known_instant, the_table_is_computed_from_the_run},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_is_told_and_moves_no_stamp_of_a_worker, a_frozen_page_voids_what_was_under_way, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_measured},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    formats::{recordings_of_every_server, what_is_fixed_by_hand, a_recipe_fills_in_everything_but_the_key},
    language::{korean_and_back},
    layout::{nothing_is_wider_than_a_phone, the_button_stays_in_sight_beside_its_problems},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing},
    secrets::{a_key_is_sent_and_kept_nowhere},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_reset_connection},
    llama::{spans_of_a_stream, spans_of_a_whole_answer, waiting_for_a_slot_is_unattributed, a_prompt_over_the_context, killed_in_the_middle},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
    litellm::{its_headers_are_hidden_from_other_origins, the_forwarder_shows_its_headers, messages_as_anthropic_streams_them, errors_that_can_be_read_and_errors_that_cannot, the_upstreams_death},
);
tests_of!(Firefox, firefox:
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_within_bounds, the_table_is_computed_from_the_run},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_is_told_and_moves_no_stamp_of_a_worker, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_measured},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    formats::{recordings_of_some_servers, what_is_fixed_by_hand},
    language::{korean_and_back},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing},
    secrets::{a_key_is_sent_and_kept_nowhere},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_reset_connection},
    llama::{spans_of_a_stream, spans_of_a_whole_answer, waiting_for_a_slot_is_unattributed, a_prompt_over_the_context, killed_in_the_middle},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
    litellm::{the_forwarder_shows_its_headers},
);
tests_of!(WebKit, webkit:
    streaming::{marks_follow_the_servers_truth, the_first_characters_were_seen_within_bounds, the_table_is_computed_from_the_run},
    modes::{whole_answers, both_in_pairs, the_worked_example, a_single_prediction, reasoning_comes_before_the_answer},
    validity::{a_blocked_main_thread_makes_stamps_late_and_it_is_said, a_covered_answer_was_not_seen, an_answer_outside_the_viewport_was_not_seen, a_machine_that_slept_voids_what_was_under_way, a_replaced_fetch_is_told_where_it_is_used, without_a_worker_the_main_thread_reads, a_worker_that_breaks_ends_the_run_with_a_message},
    network::{the_seventh_request_waits_in_the_browser, a_preflight_is_in_the_wait_before_the_request, a_redirect_is_told, nothing_comes_from_the_cache, a_service_worker_in_the_path_is_told},
    hidden::{a_hidden_page_claims_no_visibility},
    stop::{what_was_measured_is_kept},
    https::{an_http_address_is_refused_and_nothing_is_sent, an_http_address_of_this_machine_is_blocked_in_webkit},
    fields::{the_keyboard_is_enough, problems_name_their_fields_and_nothing_is_sent},
    formats::{recordings_of_some_servers, what_is_fixed_by_hand},
    language::{korean_and_back},
    open::{a_saved_run_shows_the_same_table, files_that_cannot_be_opened_change_nothing},
    secrets::{a_key_is_sent_and_kept_nowhere},
    faults::{error_statuses, streams_that_break, replies_that_are_no_stream, the_time_limit, what_the_browser_blocks, a_cut_body_ends_cleanly_in_webkit},
    llama::{spans_of_a_stream, spans_of_a_whole_answer},
    routes::{every_route_has_its_format, a_recipe_by_hand, a_key_passes_where_every_header_is_allowed},
);
