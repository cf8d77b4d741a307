#!/usr/bin/env python3
"""Loans of a small library."""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, overload

try:
    import tomllib
except ImportError:
    tomllib = None

if TYPE_CHECKING:
    from collections.abc import Iterable

HOLD_DAYS = 3
RATES: dict[str, int] = {"adult": 500, "child": 100}
LOW, HIGH = 1, 9
first = second = 0
__all__ = ["Shelf"]
__all__ += ["Loan"]

type Code = str | int

half = lambda n: n // 2


class Colour(enum.Enum):
    """Colours of labels."""

    RED = "red"
    GREEN = "green"

    @property
    def label(self) -> str:
        return self.value.upper()


@dataclass(frozen=True)
class Loan:
    book: str
    days: int = 0
    notes: list[str] = field(default_factory=list)

    class Meta:
        ordering = ["days"]

        def describe(self):
            return "meta"


class Clock(Protocol):
    def now(self) -> int: ...


class Shelf(Base, metaclass=Registry):
    limit = 40
    # A comment before the constructor.

    def __init__(self, clock: Clock) -> None:
        """Make an empty shelf."""
        self.clock = clock
        self.books: list[str] = []
        local = 1
        if local:
            self.late = True

    @overload
    def find(self, key: int) -> str: ...

    @overload
    def find(self, key: str) -> str: ...

    def find(self, key):
        for book in self.books:
            if book == key:
                return book
        raise KeyError(key)

    @staticmethod
    @require_role("clerk")
    def fine(days: int) -> int:
        '''Money that is owed.'''
        late = days - 21

        def rounded(n):
            return n - n % 100

        return rounded(late * RATES["adult"])

    @property
    def size(self):
        return len(self.books)

    @size.setter
    def size(self, n):
        del self.books[n:]

    async def lend(
        self,
        book: str,
        *,
        days: int = 21,
        **extra,
    ) -> Loan:
        async with self.lock:
            return Loan(book, days)


def overdue(loans: Iterable[Loan], *, limit=21):
    return [loan for loan in loans if loan.days > limit]


if sys.platform == "win32":

    def beep():
        return 1

else:

    def beep():
        return 2


def outer():
    hidden = 1

    class Inner:
        value = hidden

    def helper():
        return Inner

    return helper


def main(argv=None):
    for name in argv or sys.argv:
        print(f"{name!r:>10} {HOLD_DAYS}")
    match argv:
        case [one]:
            return one
        case _:
            return None


if __name__ == "__main__":
    main()
