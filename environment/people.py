"""Invented people that every world shares: no real person's data, reserved domains only."""

from functools import cache
from typing import NamedTuple

from environment.places import CITY_NAMES
from environment.world import generator

_FIRST = (
    "Ada Aiko Alba Amir Anouk Arvid Beatriz Bram Carmen Chidi Clara Dario Dina Edda Elif Emeka "
    "Esme Farid Fleur Gita Goran Hana Hugo Ines Ivo Jada Jonas Kaito Kira Lars Leila Linh Luca "
    "Maeve Mateo Mina Nadia Noor Oskar Paloma Petra Quentin Rana Ravi Rosa Samir Selma Soren "
    "Tamsin Theo Uma Vera Viktor Wanda Xenia Yara Yusuf Zadie Zoran"
).split()
_LAST = (
    "Abara Almeida Arslan Bakker Bellweather Bergqvist Castellan Chaudhry Dahlgren Dumont "
    "Eriksholm Falkner Farouk Galanis Greenhalgh Haddad Hollander Ibarra Ishikawa Jankowski "
    "Kaplanek Kerrigan Lindqvist Lombardo Maddox Marchetti Nakagawa Nwosu Okafor Oyelaran "
    "Pellegrin Quintero Rasmund Rosenthal Sandoval Schreiber Sorensen Takahara Tremblay "
    "Ulrich Valcourt Venkatesan Wexler Whitlock Xavier Yilmazer Zeller Zielinski"
).split()


class Person(NamedTuple):
    """An invented person; the e-mail address lies in a domain reserved for examples."""

    id: str
    name: str
    email: str
    phone: str
    city: str


@cache
def people(seed: int, count: int = 120) -> tuple[Person, ...]:
    """Return `count` different people, the same for the same seed."""
    rng = generator(seed, "people")
    found: dict[str, Person] = {}
    while len(found) < count:
        first, last = rng.choice(_FIRST), rng.choice(_LAST)
        phone = f"+1-555-{rng.randrange(100, 1000)}-{rng.randrange(10000):04d}"
        city = rng.choice(CITY_NAMES)
        email = f"{first}.{last}@example.org".lower()
        person_id = f"p-{len(found) + 101}"
        found.setdefault(email, Person(person_id, f"{first} {last}", email, phone, city))
    return tuple(found.values())
