"""TorchRL: self-play in PettingZoo's AEC environment through `PettingZooWrapper`."""

from __future__ import annotations

from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from docs.recipes.scoring import Clock
from thurn_env import thurn_und_taxis_v0

BATCH, DECISIONS, EPOCHS, MINIBATCH, RATE = 1024, 120 * 1024, 6, 128, 1e-3


# --- glue ---
def environment() -> Any:
    # `use_mask` reports which seat is to move. `raw_env` is faster than `env`, and TorchRL never plays illegal actions.
    game = thurn_und_taxis_v0.raw_env(board="tiny", reward="margin", shaping=1.0)
    env = PettingZooWrapper(
        game, use_mask=True, group_map={"seats": game.possible_agents}, categorical_actions=True, seed=1
    )
    return env


def decisions_of(seat: int, data: Any) -> Any:
    """Return one seat's decisions, each with its rewards and the end of the game up to its next decision."""
    moves = data["seats", "mask"][:, seat].nonzero().squeeze(-1)
    here, following = moves[:-1], moves[1:]
    sums = {"reward": data["next", "seats", "reward"][:, seat], "done": data["next", "done"].float()}
    sums = {name: torch.cat([values[:1] * 0, values.cumsum(0)]) for name, values in sums.items()}
    between = {name: values[following] - values[here] for name, values in sums.items()}
    done = between["done"] > 0
    row = {name: data["seats", name][here, seat] for name in ("action_mask", "action", "action_log_prob")}
    seen = data["seats", "observation", "observation"][:, seat]
    after = {"observation": seen[following], "reward": between["reward"], "done": done, "terminated": done}
    return TensorDict({**row, "observation": seen[here], "next": after}, [len(here)])


# --- training ---
def main() -> None:
    torch.manual_seed(1)
    env = environment()
    size, actions = (
        env.observation_spec["seats", "observation", "observation"].shape[-1],
        env.full_action_spec[env.action_key].space.n,
    )
    body = nn.Sequential(nn.Linear(size, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, actions))

    def actor_of(*where: str, observation: Any) -> Any:
        def key(name: str) -> Any:
            return (*where, name) if where else name

        return ProbabilisticActor(
            TensorDictModule(body, in_keys=[observation], out_keys=[key("logits")]),
            in_keys={"logits": key("logits"), "mask": key("action_mask")},
            out_keys=[key("action")],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
            log_prob_key=key("action_log_prob"),
        )

    player = actor_of("seats", observation=("seats", "observation", "observation"))
    actor = actor_of(observation="observation")
    critic = ValueOperator(
        nn.Sequential(nn.Linear(size, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 1)),
        in_keys=["observation"],
    )
    advantage = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), RATE)
    collector = Collector(
        env, player, frames_per_batch=BATCH, total_frames=DECISIONS, auto_register_policy_transforms=False
    )
    clock, games = Clock(), 0
    for data in collector:
        games += int(data["next", "done"].sum())
        print(f"{games} games", flush=True)
        rows = [decisions_of(seat, data) for seat in range(2)]
        for _ in range(EPOCHS):
            with torch.no_grad():
                batch = torch.cat([advantage(row) for row in rows])
            for chosen in torch.randperm(len(batch)).split(MINIBATCH):
                if len(chosen) > 1:
                    parts = loss(batch[chosen])
                    optimizer.zero_grad()
                    (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                    nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                    optimizer.step()
        optimizer.param_groups[0]["lr"] -= RATE * BATCH / DECISIONS

    def choose(observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            logits = body(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        return logits.argmax(-1).numpy()

    clock.report(choose, DECISIONS, games, ["torchrl", "tensordict", "torch", "pettingzoo"])


if __name__ == "__main__":
    main()
