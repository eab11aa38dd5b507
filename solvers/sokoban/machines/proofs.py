"""Whether a board is a vertex: its ports are never what that forbids, and each turn that it allows can be made."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from solvers.sokoban.machines.gadgets import Gadget, State

Ports = tuple[bool, ...]  # for each port whether its edge points away: a box of it is inside
Rule = Callable[[Ports], bool]

MOST = 20_000


def end(ports: Ports) -> bool:
    """A vertex that needs nothing of its one edge."""
    return len(ports) == 1


def joint(ports: Ports) -> bool:
    """Two edges of weight 2: one at a time may point away."""
    return sum(ports) <= 1


def or_vertex(ports: Ports) -> bool:
    """Three edges of weight 2: two at a time may point away."""
    return sum(ports) <= 2


def and_vertex(ports: Ports) -> bool:
    """Weights 1, 1 and 2: the last points away only while the first two do not."""
    return not ports[2] or not (ports[0] or ports[1])


@dataclass(frozen=True)
class Proof:
    """*is_sound*: nothing else happens than the rule allows, whatever the neighbours do; *is_complete*: from wherever
    the start can be come back to, each turn that it allows can be made. *states* that were looked at; *turns* that
    were made and can be taken back, as the port states before and after. None where more than MOST states were met.
    """

    is_sound: bool | None
    is_complete: bool | None
    states: int
    turns: frozenset[tuple[Ports, Ports]]

    @property
    def is_proved(self) -> bool:
        return bool(self.is_sound and self.is_complete)


def pointing(state: State) -> Ports:
    """For each port whether its edge points away."""
    return tuple(lane.inside >= 1 for lane in state.lanes)


def prove(gadget: Gadget, rule: Rule, *, most: int = MOST) -> Proof:
    """Look at every state that can be reached. Time O(states · cells)."""
    after: dict[State, list[State]] = {}
    todo = deque([gadget.start])
    is_sound = True
    while todo:
        state = todo.popleft()
        if state in after:
            continue
        if len(after) == most:
            return Proof(None, None, most, frozenset())
        # More boxes out than in: the neighbour would have one too many, for which nothing is proved.
        if min(lane.inside for lane in state.lanes) < 0 or not rule(pointing(state)):
            is_sound = False
            after[state] = []
            continue
        after[state] = list(gadget.after(state))
        todo.extend(after[state])
    home = _component(after, gadget.start)
    turns = frozenset(
        (pointing(state), pointing(then))
        for state in home
        for then in after[state]
        if pointing(state) != pointing(then)
        if then in home
    )
    is_complete = is_sound and all(
        _can_turn(after, home, state, wanted) for state in home for wanted in _turns_of(rule, pointing(state))
    )
    return Proof(is_sound, is_complete, len(after), turns)


def _component(after: dict[State, list[State]], start: State) -> set[State]:
    """The states that are reached from *start* and from which it can be come back to."""
    before: dict[State, list[State]] = {}
    for state, thens in after.items():
        for then in thens:
            before.setdefault(then, []).append(state)
    return _reached(after, start) & _reached(before, start)


def _reached(after: dict[State, list[State]], start: State) -> set[State]:
    seen, todo = {start}, [start]
    while todo:
        for then in after.get(todo.pop(), ()):
            if then not in seen:
                seen.add(then)
                todo.append(then)
    return seen


def _turns_of(rule: Rule, ports: Ports) -> Iterable[Ports]:
    for at in range(len(ports)):
        turned = (*ports[:at], not ports[at], *ports[at + 1 :])
        if rule(turned):
            yield turned


def _can_turn(after: dict[State, list[State]], home: set[State], state: State, wanted: Ports) -> bool:
    """Whether the ports can become *wanted* from *state* without any other change of them."""
    now = pointing(state)
    seen, todo = {state}, [state]
    while todo:
        for then in after[todo.pop()]:
            if then not in home or then in seen:
                continue
            if pointing(then) == wanted:
                return True
            if pointing(then) == now:
                seen.add(then)
                todo.append(then)
    return False
