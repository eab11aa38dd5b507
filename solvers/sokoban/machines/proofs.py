"""Prove that a board is a vertex: its ports never violate the vertex's rule, and every allowed reversal is possible.

In a solved level all boxes are on goals, and the goals are the initial box positions. A state from which a board's
boxes can never all return, whatever the neighbours do, is lost (Hearn and Demaine, 2005: unrecoverable), and its
successors do not matter: only *live* states must satisfy the rule.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from solvers.sokoban.machines.gadgets import Gadget, State

Ports = tuple[bool, ...]  # per port: True if its edge points away, so its box is inside
Rule = Callable[[Ports], bool]
After = dict[State, list[State]]

MOST = 20_000


def end(ports: Ports) -> bool:
    """Accept a vertex with one edge and no constraint."""
    return len(ports) == 1


def joint(ports: Ports) -> bool:
    """Accept two edges of weight 2: at most one may point away."""
    return sum(ports) <= 1


def or_vertex(ports: Ports) -> bool:
    """Accept three edges of weight 2: at most two may point away."""
    return sum(ports) <= 2


def and_vertex(ports: Ports) -> bool:
    """Accept weights 1, 1 and 2: the last edge may point away only if the first two do not."""
    return not ports[2] or not (ports[0] or ports[1])


@dataclass(frozen=True)
class Proof:
    """Result of `prove`. *is_sound*: live states satisfy the rule, whatever the neighbours do. *is_complete*: from
    every state mutually reachable with the start, each allowed reversal can be made. *states*: the number examined;
    *live*: the number of live ones. *turns*: reversals that can be undone, as port states before and after. is_sound
    and is_complete are None if there are more than MOST states.
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
    """Return for each port whether its edge points away."""
    return tuple(lane.inside >= 1 for lane in state.lanes)


def prove(gadget: Gadget, rule: Rule, *, most: int = MOST) -> Proof:
    """Examine every reachable state that is not evidently lost. Time O(states · cells)."""
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
    """Map each reachable state to its successors; states with a box in a corner have none.

    Return None if there are more than *most* states.
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
    """Return whether a box was pushed deeper into a neighbour; the neighbour's own proof says it gets stuck there."""
    return any(lane.inside == 0 and not lane.is_full for lane in state.lanes)


def home_states(after: After, start: State) -> set[State]:
    """Return the states mutually reachable with *start*, in which every reversal can be undone."""
    return _component(after, start)


def live_states(after: After, home: set[State]) -> set[State]:
    """Return states from which the boxes can reach the arrangement of a *home* state, with the player anywhere."""
    arranged = {(state.boxes, state.lanes) for state in home}
    back = _turned_round(after)
    live: set[State] = set()
    for state in after:
        if (state.boxes, state.lanes) in arranged and state not in live:
            live |= _reached(back, state)
    return live


def _component(after: After, start: State) -> set[State]:
    """Return the strongly connected component of *start*."""
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
    """Return whether the ports can become *wanted* from *state* with no other port change before."""
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
