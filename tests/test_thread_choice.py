"""Threads are taken only while they help."""

from thurn_env.engine.thread_choice import PERIOD, TRIAL_STEPS, WARM_UP, ThreadChoice


def steps(choice: ThreadChoice, count: int, one: float, all_of_them: float) -> list[int]:
    """The threads chosen for `count` steps; a step takes `one` second with one thread, `all_of_them` with all."""
    chosen = []
    for _ in range(count):
        chosen.append(choice.threads())
        choice.record(chosen[-1], one if chosen[-1] == 1 else all_of_them)
    return chosen


TRIAL = [1] * TRIAL_STEPS + [4] * (WARM_UP + TRIAL_STEPS)


def test_the_faster_way_is_taken_until_the_next_trial() -> None:
    rest = PERIOD - len(TRIAL)
    assert steps(ThreadChoice(4), PERIOD + len(TRIAL), one=1.0, all_of_them=0.4) == [*TRIAL, *[4] * rest, *TRIAL]
    assert steps(ThreadChoice(4), PERIOD + len(TRIAL), one=1.0, all_of_them=1.2) == [*TRIAL, *[1] * rest, *TRIAL]


def test_a_very_slow_step_brings_the_next_trial_on() -> None:
    choice = ThreadChoice(4)
    assert steps(choice, len(TRIAL) + 5, one=1.0, all_of_them=0.4)[-5:] == [4] * 5
    # That trial ends at its first step with all threads.
    once = [1] * TRIAL_STEPS + [4]
    assert steps(choice, 1 + len(once) + 3, one=1.0, all_of_them=50.0) == [4, *once, 1, 1, 1]


def test_the_first_steps_with_all_threads_do_not_count() -> None:
    """The others must wake up, and fetch their games."""
    choice = ThreadChoice(4)
    steps(choice, TRIAL_STEPS + WARM_UP, one=1.0, all_of_them=3.0)
    assert steps(choice, TRIAL_STEPS + 1, one=1.0, all_of_them=0.5)[-1] == 4


def test_a_change_of_load_is_noticed_at_the_next_trial() -> None:
    choice = ThreadChoice(2)
    steps(choice, PERIOD, one=1.0, all_of_them=1.5)
    assert steps(choice, len(TRIAL) + 1, one=1.0, all_of_them=0.5)[-1] == 2
