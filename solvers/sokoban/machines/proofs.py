"""Whether a board is a vertex: its ports are never what that forbids, and each turn that it allows can be made.

Every box of a level is on a goal in the end, and the goals are where the boxes stand when all is turned back. So a
state from which the boxes of a board can never all come home again, whatever the neighbours do, is lost (Hearn and
Demaine, 2005, call it unrecoverable), and what happens after it does not matter: only *live* states need keep to the
rule.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from solvers.sokoban.machines.gadgets import Gadget, State

Ports = tuple[bool, ...]  # for each port whether its edge points away: a box of it is inside
Rule = Callable[[Ports], bool]
After = dict[State, list[State]]

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
    """*is_sound*: while not all is lost nothing else happens than the rule allows, whatever the neighbours do;
    *is_complete*: from wherever the start can be come back to, each turn that it allows can be made. *states* that were
    looked at, and how many of them are *live*; *turns* that were made and can be taken back, as the port states before
    and after. None where more than MOST states were met.
    """

    is_sound: bool | None
    is_complete: bool | None
    states: int
    live: int
    turns: frozenset[tuple[Ports, Ports]]

    @property
    def is_proved(self) -> bool:
        return bool(self.is_sound and self.is_complete)


def pointing(state: State) -> Ports:
    """For each port whether its edge points away."""
    return tuple(lane.inside >= 1 for lane in state.lanes)


def prove(gadget: Gadget, rule: Rule, *, most: int = MOST) -> Proof:
    """Look at every state that can be reached and is not plainly lost. Time O(states · cells)."""
    after = states_after(gadget, most=most)
    if after is None:
        return Proof(None, None, most, 0, frozenset())
    home = home_states(after, gadget.start)
    live = live_states(after, home)
    turns = frozenset(
        (pointing(state), pointing(then))
        for state in home
        for then in after[state]
        if pointing(state) != pointing(then)
        if then in home
    )
    is_sound = all(gadget.is_cornered(state) or not gadget.is_unclear(state) for state in after) and all(
        rule(pointing(state)) for state in live
    )
    is_complete = is_sound and all(
        _can_turn(after, home, state, wanted) for state in home for wanted in _turns_of(rule, pointing(state))
    )
    return Proof(is_sound, is_complete, len(after), len(live), turns)


def states_after(gadget: Gadget, *, most: int = MOST) -> After | None:
    """For each state that can be reached the states one push later, none for those with a box in a corner.

    None where there are more than *most*.
    """
    after: After = {}
    todo = deque([gadget.start])
    while todo:
        state = todo.popleft()
        if state in after:
            continue
        if len(after) == most:
            return None
        is_over = gadget.is_cornered(state)
        after[state] = [] if is_over else [then for then in gadget.after(state) if not _is_lost_outside(then)]
        todo.extend(after[state])
    return after


def _is_lost_outside(state: State) -> bool:
    """Whether a box was pushed on into a neighbour, whose own proof says that it ends in a corner there."""
    return any(lane.inside == 0 and not lane.is_full for lane in state.lanes)


def home_states(after: After, start: State) -> set[State]:
    """Those between which all can be turned and turned back."""
    return _component(after, start)


def live_states(after: After, home: set[State]) -> set[State]:
    """Those from which the boxes can all stand again as in some state of *home*, wherever the man is then."""
    arranged = {(state.boxes, state.lanes) for state in home}
    back = _turned_round(after)
    live: set[State] = set()
    for state in after:
        if (state.boxes, state.lanes) in arranged and state not in live:
            live |= _reached(back, state)
    return live


def _component(after: After, start: State) -> set[State]:
    """The states that are reached from *start* and from which it can be come back to."""
    return _reached(after, start) & _reached(_turned_round(after), start)


def _turned_round(after: After) -> After:
    before: After = {}
    for state, thens in after.items():
        for then in thens:
            before.setdefault(then, []).append(state)
    return before


def _reached(after: After, start: State) -> set[State]:
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


def _can_turn(after: After, home: set[State], state: State, wanted: Ports) -> bool:
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
