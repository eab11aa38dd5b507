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
Successors = dict[State, list[State]]

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
    """Result of `prove_gadget`. *is_sound*: live states satisfy the rule, whatever the neighbours do. *is_complete*:
    from every state mutually reachable with the start, each allowed reversal can be made. *states*: the number
    examined; *live*: the number of live ones. *turns*: reversals that can be undone, as port states before and after.
    is_sound and is_complete are None if there are more than MOST states.
    """

    is_sound: bool | None
    is_complete: bool | None
    states: int
    live: int
    turns: frozenset[tuple[Ports, Ports]]

    @property
    def is_proved(self) -> bool:
        return bool(self.is_sound and self.is_complete)


def ports_of(state: State) -> Ports:
    """Return for each port whether its edge points away."""
    return tuple(lane.inside >= 1 for lane in state.lanes)


def prove_gadget(gadget: Gadget, rule: Rule, *, most: int = MOST) -> Proof:
    """Check *rule* in every reachable state that is not evidently lost. Time O(states · cells)."""
    successors = explore_states(gadget, most=most)
    if successors is None:
        return Proof(None, None, most, 0, frozenset())
    home = find_home_states(successors, gadget.start)
    live = find_live_states(successors, home)
    turns = frozenset(
        (ports_of(state), ports_of(next_state))
        for state in home
        for next_state in successors[state]
        if ports_of(state) != ports_of(next_state)
        if next_state in home
    )
    is_sound = all(gadget.is_cornered(state) or not gadget.is_unclear(state) for state in successors) and all(
        rule(ports_of(state)) for state in live
    )
    is_complete = is_sound and all(
        _can_reverse(successors, home, state, reversed_ports)
        for state in home
        for reversed_ports in _allowed_reversals(rule, ports_of(state))
    )
    return Proof(is_sound, is_complete, len(successors), len(live), turns)


def explore_states(gadget: Gadget, *, most: int = MOST) -> Successors | None:
    """Map each reachable state to its successors; states with a box in a corner have none.

    Return None if there are more than *most* states.
    """
    successors: Successors = {}
    queue = deque([gadget.start])
    while queue:
        state = queue.popleft()
        if state in successors:
            continue
        if len(successors) == most:
            return None
        is_over = gadget.is_cornered(state)
        successors[state] = (
            []
            if is_over
            else [next_state for next_state in gadget.successors(state) if not _is_lost_outside(next_state)]
        )
        queue.extend(successors[state])
    return successors


def _is_lost_outside(state: State) -> bool:
    """Return whether a box was pushed deeper into a neighbour; the neighbour's own proof says it gets stuck there."""
    return any(lane.inside == 0 and not lane.is_full for lane in state.lanes)


def find_home_states(successors: Successors, start: State) -> set[State]:
    """Return the states mutually reachable with *start*, in which every reversal can be undone."""
    return _component(successors, start)


def find_live_states(successors: Successors, home: set[State]) -> set[State]:
    """Return states from which the boxes can reach the arrangement of a *home* state, with the player anywhere."""
    home_arrangements = {(state.boxes, state.lanes) for state in home}
    predecessors = _reverse_edges(successors)
    live: set[State] = set()
    for state in successors:
        if (state.boxes, state.lanes) in home_arrangements and state not in live:
            live |= _reachable(predecessors, state)
    return live


def _component(successors: Successors, start: State) -> set[State]:
    """Return the strongly connected component of *start*."""
    return _reachable(successors, start) & _reachable(_reverse_edges(successors), start)


def _reverse_edges(successors: Successors) -> Successors:
    predecessors: Successors = {}
    for state, next_states in successors.items():
        for next_state in next_states:
            predecessors.setdefault(next_state, []).append(state)
    return predecessors


def _reachable(successors: Successors, start: State) -> set[State]:
    seen, stack = {start}, [start]
    while stack:
        for next_state in successors.get(stack.pop(), ()):
            if next_state not in seen:
                seen.add(next_state)
                stack.append(next_state)
    return seen


def _allowed_reversals(rule: Rule, ports: Ports) -> Iterable[Ports]:
    for port in range(len(ports)):
        reversed_ports = (*ports[:port], not ports[port], *ports[port + 1 :])
        if rule(reversed_ports):
            yield reversed_ports


def _can_reverse(successors: Successors, home: set[State], state: State, target_ports: Ports) -> bool:
    """Return whether the ports can become *target_ports* from *state* with no other port change before."""
    ports = ports_of(state)
    seen, stack = {state}, [state]
    while stack:
        for next_state in successors[stack.pop()]:
            if next_state not in home or next_state in seen:
                continue
            if ports_of(next_state) == target_ports:
                return True
            if ports_of(next_state) == ports:
                seen.add(next_state)
                stack.append(next_state)
    return False
