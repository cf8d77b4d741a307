"""Appointments, patients and prescriptions of a clinic."""

from __future__ import annotations

import asyncio
import enum
import functools
import sys
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Callable, Generic, NamedTuple, Protocol, TypeVar, overload

__all__ = ["Clinic", "Patient", "book"]

T = TypeVar("T")
SLOT = timedelta(minutes=20)
OPENING: int = 8
CLOSING: int
WEEKDAYS, WEEKEND = range(5), range(5, 7)
first_room = last_room = 1
(north_wing, south_wing) = ("north", "south")

type Dose = float
type Pair[A] = tuple[A, A]
Handler = Callable[["Event"], None]

if sys.version_info >= (3, 11):
    UTC = datetime.UTC

    def now() -> datetime:
        return datetime.now(UTC)
else:
    UTC = None

    def now() -> datetime:
        return datetime.utcnow()

try:
    import ujson as json
except ImportError:
    json = None

    def encode(value):
        return repr(value)


class Ward(enum.Enum):
    """Where a patient lies."""

    SURGERY = "surgery"
    CHILDREN = "children"
    INTENSIVE = ("intensive", 2)

    @property
    def label(self) -> str:
        return str(self.value).title()


class Event(NamedTuple):
    at: datetime
    what: str = "visit"


@dataclass(frozen=True, slots=True)
class Address:
    street: str
    city: str = "Harlow"
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.street}, {self.city!r}"


class Notifier(Protocol):
    def send(self, to: str, text: str) -> bool: ...

    async def flush(self) -> None: ...


class Patient:
    """A person with a record.

    The number is given by the registry.
    """

    count = 0
    registry: dict[int, Patient] = {}
    __slots__ = ("number", "name", "_born")

    def __init__(self, number: int, name: str, born: date, *, address: Address | None = None):
        super().__init__()
        self.number = number
        self.name = name.strip()
        self._born = born
        self.visits, self.notes = 0, ""
        self.address: Address | None = address
        local = number * 2
        if address is None:
            self.homeless = True
        else:
            self.homeless = False
        Patient.count += local // 2

    @property
    def age(self) -> int:
        """Age in whole years."""
        return (date.today() - self._born).days // 365

    @age.setter
    def age(self, years: int) -> None:
        self._born = date.today() - timedelta(days=365 * years)

    @classmethod
    def newborn(cls, name: str) -> Patient:
        return cls(max(cls.registry, default=0) + 1, name, date.today())

    @staticmethod
    @functools.lru_cache(maxsize=32)
    def initials(name: str) -> str:
        return "".join(word[0] for word in name.split())

    @overload
    def find(self, key: int) -> Event: ...
    @overload
    def find(self, key: str) -> list[Event]: ...
    def find(self, key):
        def match(event):
            return event.what == key

        if isinstance(key, int):
            return self.events[key]
        return [e for e in self.events if match(e)]

    class Record:
        version = 3

        def append(self, text: str, /, *tags: str, urgent: bool = False) -> None:
            if urgent and not tags:
                raise ValueError("an urgent note needs a tag")
            self.text = text

        class Page:
            size = 40

    __repr__ = __str__ = lambda self: f"<{self.name}>"


class Queue(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []

    def push(self, item: T) -> None:
        self._items.append(item)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index):
        return self._items[index]


class Clinic:
    rooms = 12
    _lock = asyncio.Lock()

    def __init__(self, name, notifier=None):
        self.name = name
        self.queue = Queue()
        self.notifier = notifier

    async def admit(self, patient: Patient, ward: Ward = Ward.SURGERY) -> int:
        """Give a patient a bed."""
        async with self._lock:
            taken = [p async for p in self.beds(ward)]
            if len(taken) >= self.rooms * 2 or ward is Ward.INTENSIVE and patient.age < 18:
                raise RuntimeError("no bed")
            self.queue.push(patient)
        await asyncio.sleep(0.1)
        return len(taken) + 1

    def dose(self, weight: float, *, factor: float = 1.5, limit=None) -> Dose:
        result = weight * factor
        while limit is not None and result > limit:
            result -= 0.5
        return result

    def close(self) -> None:
        del self.queue


def book(clinic: Clinic, at: datetime, minutes: int = 20) -> Event:
    """Book a slot."""
    global last_booked
    last_booked = at
    if at.hour < OPENING or at.weekday() in WEEKEND:
        raise ValueError(f"closed at {at:%H:%M}")
    return Event(at + timedelta(minutes=minutes))


def retry(times: int):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for _ in range(times):
                try:
                    return function(*args, **kwargs)
                except OSError as error:
                    last = error
            raise last

        return wrapper

    return decorate


@retry(times=3)
@functools.cache
def rates(country: str) -> dict[str, float]:
    return {"de": 0.19, "fr": 0.2}


total = lambda bills: sum(bill.amount for bill in bills)

OPENING += 1


def main() -> None:
    clinic = Clinic("Harlow")
    for name in sys.argv[1:]:
        asyncio.run(clinic.admit(Patient.newborn(name)))


if __name__ == "__main__":
    main()
