"""``angularpu methods``: which methods there are, what they need and where they come from."""

from typing import Annotated

import typer

from angularpu.cli.options import AsJson


def methods(
    *,
    traits: Annotated[bool, typer.Option("--traits", help="Print the paper's table of properties.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the methods, what they need and where they come from."""
    from angularpu.methods.cards import TRAITS
    from angularpu.methods.table import METHODS
    from angularpu.progress import print_json

    if as_json:
        print_json({"methods": [card.to_json() for card in METHODS.values()]})
    elif traits:
        print(" | ".join(["method", *TRAITS]))
        print(" | ".join(["---"] * (1 + len(TRAITS))))
        for card in METHODS.values():
            print(" | ".join([card.title, *("yes" if trait in card.traits else "no" for trait in TRAITS)]))
    else:
        for card in METHODS.values():
            print(f"{card.name:<20} {card.title}: {card.summary}")
            print(f"{'':<20} needs {', '.join(card.needs) or 'positives and unlabelled rows only'}; {card.reference}")
