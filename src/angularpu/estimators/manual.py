"""The docstring of a method's class, put together from its card and the docstrings of what it is made of."""

import inspect
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from angularpu.estimators.angular import AngularPUClassifier
from angularpu.estimators.any import PUClassifier
from angularpu.methods.cards import Card
from angularpu.methods.configure import algorithm_options

ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.*)$")
DEFAULT = re.compile(r",? (?:default[ =].*|optional)$")
MANUAL = """{summary}

{reference}

{explanation}

Every parameter is keyword-only; docs/methods/{name}.md explains the method.

Options, from ``{first}`` to ``{last}``, are "preset" unless they are given: what the preset has, or else the method's
own default, which is stated here.

Parameters
----------
{parameters}
"""


class Entry(NamedTuple):
    """What a docstring says of one parameter: its kind, and the lines below it, if there are any."""

    kind: str
    text: tuple[str, ...] = ()


def write_manual(card: Card, shared: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return the docstring of a method's class.

    Parameters
    ----------
    card : Card
    shared : mapping of str to object
        Parameters that every class has, with their defaults.
    options : mapping of str to object
        Those of the method, its network and its training, with the method's own defaults.
    """
    written_out, any_method, own = map(read_parameters, (AngularPUClassifier, PUClassifier, card.load()))
    known = written_out | {name: any_method[name] for name in ("preset", "prior", "base") if name in any_method}
    known |= {name: own[name] for name in algorithm_options(card.name) if name in own}
    lines = []
    for name, default in {**shared, **options}.items():
        kind, text = known.get(name, Entry("object"))
        stated = "optional" if default is None else f"default={default!r}"
        lines += [f"{name} : {DEFAULT.sub('', kind)}, {stated}", *text]
    return MANUAL.format(
        name=card.name,
        summary=card.summary,
        reference=card.reference,
        explanation=_split(card.load())[0],
        first=next(iter(options)),
        last=list(options)[-1],
        parameters="\n".join(lines),
    )


def read_parameters(documented: type) -> dict[str, Entry]:
    """Return what a class and those it is derived from say of their parameters, in NumPy's form.

    >>> read_parameters(PUClassifier)["algorithm"]
    Entry(kind='str, default="deprecated"', text=('    The old name of ``method``.',))
    """
    entries: dict[str, Entry] = {}
    for each in reversed(documented.__mro__):
        names: list[str] = []
        for line in _split(each)[1].split("\n"):
            if found := ENTRY.match(line):
                names = found[1].split(", ")
                entries |= dict.fromkeys(names, Entry(found[2], ()))
            elif line.startswith("    "):
                entries |= {name: Entry(entries[name].kind, (*entries[name].text, line)) for name in names}
            elif line:  # the heading of the next section
                break
    return entries


def _split(documented: type) -> tuple[str, str]:
    """Return a docstring's text before its parameters, and what follows from them on."""
    before, _, after = inspect.cleandoc(documented.__doc__ or "").partition("Parameters\n----------\n")
    return before.strip(), after
