"""What many threads want done at the same time, done together by one of them.

Who comes while nobody is at work leads: they do what waits, their own first, while others gather behind them. Then the
first of those leads. So a batch is what came while the last one was done: a lonely one waits for nobody, there is no
timer, and under load the batches grow by themselves.
"""

from collections import deque
from collections.abc import Callable, Sequence
from threading import Event, Lock
from typing import Generic, TypeVar

W = TypeVar("W")  # what is wanted
A = TypeVar("A")  # what is answered

# Who has waited for so long behind a leader who does not come to an end goes alone.
PATIENCE_SECONDS = 2.0


class _Place(Generic[W, A]):
    """One thread's in the line."""

    def __init__(self, wanted: W) -> None:
        self.wanted = wanted
        self.called = Event()  # to lead, or because all is done
        self.leads = False
        self.answer: A | None = None


class Group(Generic[W, A]):
    """The threads of this process that want what *act* does of many, at most *most* at a time."""

    def __init__(self, act: Callable[[Sequence[W]], Sequence[A]], most: int) -> None:
        self._act = act
        self._most = most
        self._guard = Lock()
        self._is_led = False
        self._line: deque[_Place[W, A]] = deque()

    def do(self, wanted: W) -> A | None:
        """What *act* answers to *wanted*; None where it was not done and is to be done alone.

        That is so when *act* raised, whoever's fault it was, or did not come to it within PATIENCE_SECONDS.
        """
        place: _Place[W, A] = _Place(wanted)
        with self._guard:
            self._line.append(place)
            place.leads, self._is_led = not self._is_led, True
        if not place.leads and not place.called.wait(PATIENCE_SECONDS):
            self._give_up(place)
        if place.leads:
            self._lead()
        return place.answer

    def _give_up(self, place: _Place[W, A]) -> None:
        """Leave the line; who has left it already, to be answered or to lead, is called before long."""
        with self._guard:
            if place in self._line and not place.leads:
                self._line.remove(place)
                return
        place.called.wait()

    def _lead(self) -> None:
        """Do what waits. Whoever leads is the first of it."""
        with self._guard:
            batch = [self._line.popleft() for _ in range(min(self._most, len(self._line)))]
        try:
            for place, answer in zip(batch, self._act([place.wanted for place in batch]), strict=True):
                place.answer = answer
        except Exception:
            # Each by itself, in its own thread: then it is known whose fault it is, and only they hear of it.
            for place in batch:
                place.answer = None
        finally:
            self._hand_over()
            for place in batch:
                place.called.set()

    def _hand_over(self) -> None:
        with self._guard:
            self._is_led = bool(self._line)
            if self._line:
                self._line[0].leads = True
                self._line[0].called.set()
