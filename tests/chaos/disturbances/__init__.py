"""Faults caused on a site under load. After each everything runs again, without manual help.

`judges` · `web` · `services` (Redis, PostgreSQL) · `clocks` · `machine` (disk, power)
"""

from tests.chaos.disturbances import clocks, judges, machine, services, web
from tests.chaos.disturbances.trial import Disturbance

# SQLite has no server to restart and no way to end a stopped process's lock; one machine has one clock.
ON_ONE_BOX: tuple[Disturbance, ...] = (
    judges.kill_judges_with_rows_in_hand,
    judges.stop_a_judge,
    judges.stall_judge_past_its_lease,
    judges.poison_the_judges,
    judges.kill_beats,
    web.kill_web_before_it_answers,
    web.kill_web_in_the_group_commit,
    web.stall_web_in_the_group_commit,
    web.kill_web_during_a_request,
    web.send_twins,
    services.kill_redis,
    services.empty_redis,
    services.fill_redis,
    clocks.jump_clock,
    machine.fill_the_disk,
    machine.kill_everything,
)
ON_POSTGRES: tuple[Disturbance, ...] = (
    *ON_ONE_BOX,
    judges.stall_judge_in_its_transaction,
    services.restart_postgres_fast,
    services.restart_postgres_at_once,
    clocks.set_one_clock_ahead,
)
# The short run of the tests: one fault for each part that differs between the two sites.
IN_SHORT_ON_ONE_BOX = (judges.kill_judges_with_rows_in_hand, web.kill_web_during_a_request, services.empty_redis)
IN_SHORT_ON_POSTGRES = (web.kill_web_in_the_group_commit, services.kill_redis, services.restart_postgres_at_once)
