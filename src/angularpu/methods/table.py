"""Every method in one table, free of torch."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from angularpu.checks import suggest
from angularpu.errors import SettingError
from angularpu.methods.cards import Card
from angularpu.methods.more_cards import MORE_CARDS
from angularpu.methods.paper_cards import PAPER_CARDS

Entry = TypeVar("Entry")

METHODS: Mapping[str, Card] = MappingProxyType({card.name: card for card in (*PAPER_CARDS, *MORE_CARDS)})


def find_method(name: str) -> Card:
    """Return a method's card by its name.

    >>> find_method("angular").title
    'AngularPU'
    """
    return look_up("method", name, METHODS)


def look_up(what: str, name: str, table: Mapping[str, Entry]) -> Entry:
    """Return an entry of a table by its name, naming the nearest one when there is none."""
    if name not in table:
        raise SettingError(f"{what} {name!r} is unknown; {suggest(name, table)}")
    return table[name]
