"""Processes and threads in every order: forks, fresh processes and threads step batches to the same results."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.batches import everything
from thurn_env import Batch
from thurn_env.engine.step_threads import CHUNK

METHODS = [method for method in ("fork", "forkserver", "spawn") if method in multiprocessing.get_all_start_methods()]
LANES = 3 * CHUNK
SECONDS = 300
"""The time after which a process that hangs fails the test."""


def played(seed: int, threads: int, steps: int = 30) -> str:
    """The digest of everything in a batch after some steps."""
    batch = Batch(LANES, 2, "tiny", threads=threads, max_rounds=5)
    # All threads in every step, also on a busy machine.
    batch._thread_choice.threads = lambda: threads  # type: ignore[method-assign]
    batch.reset(seed)
    return stepped(batch, steps)


def stepped(batch: Batch, steps: int = 30) -> str:
    for _ in range(steps):
        batch.step(batch.masks.argmax(axis=1))
    return sha256(b"".join(everything(batch))).hexdigest()


def in_child(method: str, seed: int, threads: int) -> str:
    context: Any = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        return str(pool.apply_async(played, (seed, threads)).get(SECONDS))


@pytest.mark.parametrize("method", METHODS)
def test_children_step_as_their_parent(method: str) -> None:
    """Before and after the parent used threads, with one thread and with several."""
    assert in_child(method, 1, 2) == played(1, 1)
    assert played(2, 3) == played(2, 1)
    for threads in (1, 2, 3):
        assert in_child(method, 3, threads) == played(3, 1)


@pytest.mark.skipif("fork" not in METHODS, reason="this system has no fork")
def test_a_fork_steps_the_batch_of_its_parent_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch whose threads ran in the parent goes on in the child, and in the parent at the same time."""
    batch, alone = (Batch(LANES, 2, "tiny", threads=threads, max_rounds=5) for threads in (2, 1))
    for one in (batch, alone):
        monkeypatch.setattr(one._thread_choice, "threads", lambda count=one.threads: count)
        one.reset(4)
        stepped(one)
    context: Any = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=lambda: answers.put(stepped(batch)))
    child.start()
    here = stepped(batch)
    child.join(SECONDS)
    assert child.exitcode == 0
    assert answers.get() == here == stepped(alone)


@pytest.mark.skipif("fork" not in METHODS, reason="this system has no fork")
def test_a_fork_waits_until_no_thread_compiles(tmp_path: Path) -> None:
    """Otherwise the child would wait for ever for a compiler that does not run in it."""
    code = """
import multiprocessing, threading
from thurn_env import make_rules
from thurn_env.games.thurn_und_taxis.rules.kernels import KERNELS
from numba.core.compiler_lock import global_compiler_lock

def deal():
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    KERNELS.entry.deal(rules.new_states(1), 0, rules.record, 1, 0)

compiling = threading.Thread(target=deal)
compiling.start()
while compiling.is_alive() and global_compiler_lock._lock.acquire(blocking=False):
    global_compiler_lock._lock.release()
assert compiling.is_alive()
child = multiprocessing.get_context("fork").Process(target=deal)
child.start()
child.join(250)
compiling.join()
print(child.exitcode)
"""
    environment = os.environ | {"THURN_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.stdout.split() == ["0"], done.stderr


def test_threads_of_python_step_batches_side_by_side() -> None:
    expected = [played(seed, 1) for seed in range(6)]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda seed: played(seed, 2), range(6))) == expected


@pytest.mark.parametrize("method", METHODS)
def test_gymnasium_and_baselines_start_their_processes_in_every_way(method: str) -> None:
    """After the parent has used threads; games are those of single environments."""
    import gymnasium
    from stable_baselines3.common.vec_env import SubprocVecEnv

    from thurn_env.envs.single import LearnerEnv

    played(1, 2)
    name, keywords = "thurn_env:thurn_env/ThurnUndTaxis-v0", {"board": "tiny", "opponents": "random"}
    env = LearnerEnv(board="tiny", opponents="random")
    expected = np.array([env.reset(seed=seed)[0] for seed in (5, 6)])
    envs = gymnasium.make_vec(name, 2, vectorization_mode="async", vector_kwargs={"context": method}, **keywords)
    try:
        observations, _ = envs.reset(seed=5)
        assert np.array_equal(observations, expected)
    finally:
        envs.close()
    vec = SubprocVecEnv([lambda: gymnasium.make(name, **keywords)] * 2, start_method=method)
    try:
        vec.seed(5)
        assert np.array_equal(vec.reset(), expected)
    finally:
        vec.close()
