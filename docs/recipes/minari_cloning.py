"""Minari: games of `heuristic`, by `DataCollector` and exported from `thurn dataset`, and a policy cloned from them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
import torch
from minari.data_collector import EpisodeBuffer
from torch import nn

from docs.recipes.scoring import Clock
from thurn_env import make_rules
from thurn_env.players.agent import agent_seed, make_agent
from thurn_env.tournament import play_tournament
from thurn_env.tournament.dataset import load, write_dataset

COLLECTED, DECKS, EPOCHS, MINIBATCH, RATE = 400, 400, 30, 256, 1e-3


# --- glue ---
def collected() -> Any:
    """Record games of the environment, in which the scripted bot `heuristic` plays the learner against `greedy`."""
    made = gymnasium.make("thurn_env/ThurnUndTaxis-v0", board="tiny", opponents="greedy", observation="dict")
    env: Any = minari.DataCollector(made, record_infos=True)
    game = env.unwrapped
    for number in range(COLLECTED):
        env.reset(seed=number)
        teacher, over = make_agent("heuristic", game.rules.bots), False
        teacher.reset(game.seat, game.rules, agent_seed(number, game.seat))
        while not over:
            _, _, terminated, truncated, _ = env.step(np.int64(teacher.act(game.view())))
            over = terminated or truncated
    return env.create_dataset("thurn/collected-v0", algorithm_name="heuristic")


def exported(folder: Path) -> Any:
    """Export a tournament: every episode is one seat of a game, with the final observation as its last one."""
    rules = make_rules("thurn_und_taxis", players=2, board="tiny")
    play_tournament(["heuristic", "greedy"], rules, DECKS, seed=1, folder=folder / "games", jobs=1)
    write_dataset(folder / "games", folder / "data")
    data = load(folder / "data", agents=("heuristic",))
    finals, episodes = iter(data.final_observations), list[EpisodeBuffer]()
    # In a game between two agents `heuristic` has one seat, so a game is an episode.
    for rows in np.split(np.arange(len(data)), np.flatnonzero(np.diff(data.games)) + 1):
        seen = np.concatenate([data.observations[rows], next(finals)[None]])
        # At the end no action is legal.
        masks = np.concatenate([data.masks[rows], np.zeros((1, rules.action_size), np.int8)])
        episodes.append(
            EpisodeBuffer(
                id=len(episodes),
                observations={"observation": seen, "action_mask": masks},
                actions=data.actions[rows],
                rewards=data.rewards[rows].tolist(),
                terminations=data.last[rows].tolist(),
                truncations=[False] * len(rows),
            )
        )
    env = gymnasium.make("thurn_env/ThurnUndTaxis-v0", board="tiny", opponents="greedy", observation="dict")
    return minari.create_dataset_from_buffers("thurn/exported-v0", episodes, env=env)


# --- training ---
def main() -> None:
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINARI_DATASETS_PATH"] = folder
        clock = Clock()
        episodes = [episode for data in (collected(), exported(Path(folder))) for episode in data.iterate_episodes()]
    assert all(len(episode.observations["observation"]) == len(episode.actions) + 1 for episode in episodes)
    seen, masks = (
        torch.from_numpy(np.concatenate([episode.observations[name][:-1] for episode in episodes]))
        for name in ("observation", "action_mask")
    )
    actions = torch.from_numpy(np.concatenate([episode.actions for episode in episodes]))
    size, width = seen.shape[1], masks.shape[1]
    policy = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, width))
    optimizer = torch.optim.AdamW(policy.parameters(), RATE, weight_decay=0.01)
    for epoch in range(EPOCHS):
        optimizer.param_groups[0]["lr"] = RATE * (1 - epoch / EPOCHS)
        for rows in torch.randperm(len(actions)).split(MINIBATCH):
            logits = policy(seen[rows]).masked_fill(masks[rows] == 0, -1e9)
            loss = nn.functional.cross_entropy(logits, actions[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}", flush=True)

    def choose(observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = policy(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        return logits.argmax(-1).numpy()

    clock.report(choose, len(actions), len(episodes), ["minari", "torch", "gymnasium", "pyarrow"])


if __name__ == "__main__":
    main()
