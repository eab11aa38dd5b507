"""What is done to a site while people send to it. Each ends with everything running again, and no person's help.

`judges` · `web` · `services` (Redis, PostgreSQL) · `clocks` · `machine` (disk, files, power, what operators do)
"""

from tests.chaos.disturbances.clocks import change_the_zone, jump_clock, let_one_judge_run_ahead, set_the_machines_clock
from tests.chaos.disturbances.judges import (
    kill_beats,
    kill_judges,
    kill_judges_with_rows_in_hand,
    poison_the_judges,
    stall_judge_in_its_transaction,
    stall_judge_past_its_lease,
    stop_a_judge,
)
from tests.chaos.disturbances.machine import (
    back_up_and_restore,
    close_the_disk,
    fill_the_disk,
    kill_everything,
    migrate_while_serving,
    take_every_file,
)
from tests.chaos.disturbances.services import (
    empty_redis,
    fill_redis,
    kill_redis,
    pause_redis_then_refuse,
    restart_postgres_at_once,
    restart_postgres_fast,
    take_every_connection,
)
from tests.chaos.disturbances.trial import Disturbance, Lacking, Trial, people_meanwhile
from tests.chaos.disturbances.web import (
    kill_web,
    kill_web_before_it_answers,
    kill_web_in_mid_post,
    kill_web_in_the_group_commit,
    send_twins,
    stall_web_in_the_group_commit,
)

__all__ = [
    "IN_SHORT_ON_ONE_BOX",
    "IN_SHORT_ON_POSTGRES",
    "ON_ONE_BOX",
    "ON_POSTGRES",
    "Disturbance",
    "Lacking",
    "Trial",
    "people_meanwhile",
]

# SQLite has no server to restart, nobody to take a lock from a stopped process, and one machine with one clock.
ON_ONE_BOX: tuple[Disturbance, ...] = (
    kill_judges,
    kill_judges_with_rows_in_hand,
    stop_a_judge,
    stall_judge_past_its_lease,
    poison_the_judges,
    kill_web,
    kill_web_before_it_answers,
    kill_web_in_the_group_commit,
    stall_web_in_the_group_commit,
    kill_web_in_mid_post,
    send_twins,
    kill_redis,
    empty_redis,
    pause_redis_then_refuse,
    fill_redis,
    kill_beats,
    jump_clock,
    change_the_zone,
    set_the_machines_clock,
    take_every_file,
    fill_the_disk,
    close_the_disk,
    kill_everything,
    migrate_while_serving,
    back_up_and_restore,
)
ON_POSTGRES: tuple[Disturbance, ...] = (
    *ON_ONE_BOX,
    stall_judge_in_its_transaction,
    restart_postgres_fast,
    restart_postgres_at_once,
    let_one_judge_run_ahead,
    take_every_connection,
)
# The short size of the tests: one fault of each part that differs between the two sites.
IN_SHORT_ON_ONE_BOX: tuple[Disturbance, ...] = (kill_judges_with_rows_in_hand, kill_web_in_mid_post, empty_redis)
IN_SHORT_ON_POSTGRES: tuple[Disturbance, ...] = (kill_web_in_the_group_commit, kill_redis, restart_postgres_at_once)
