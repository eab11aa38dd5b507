"""Rewards of a step, the same for the single and the vector environment."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Rewards:
    """Rewards of an action; the defaults are those of gym-sokoban and Boxoban.

    *step* for every action, also for an illegal one, which changes nothing; *on_goal* for a box pushed onto a goal,
    *off_goal* for one pushed off; *solved* once all boxes are on goals; *dead* once a position becomes provably
    unsolvable. They add up.

    >>> Rewards(solved=100).of(change=1, is_solution=True, is_newly_dead=False)
    100.9
    """

    step: float = -0.1
    on_goal: float = 1.0
    off_goal: float = -1.0
    solved: float = 10.0
    dead: float = 0.0

    def of(self, *, change: int, is_solution: bool, is_newly_dead: bool) -> float:
        """Return the reward of an action that changed the number of boxes on goals by *change*: -1, 0 or 1."""
        reward = self.step + (0.0, self.on_goal, self.off_goal)[change]
        return reward + self.solved * is_solution + self.dead * is_newly_dead


def check_rewards(rewards: object) -> None:
    """Raise ValueError, which lists the names, if *rewards* are no Rewards; a dict of them is not either."""
    if isinstance(rewards, Rewards):
        return
    names = [field.name for field in fields(Rewards)]
    unknown = [name for name in rewards if name not in names] if isinstance(rewards, dict) else []
    what = f"has no {unknown[0]!r}; it" if unknown else "must be a Rewards, such as Rewards(solved=100), which"
    raise ValueError(f"rewards {what} has {', '.join(names)}.")
