"""Write docs/licences.md: the licences of all packages in requirements.lock, and torch, as they are installed here."""

import re
from importlib.metadata import Distribution, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 60
HEAD = """# Licences

AngularPU itself: Apache-2.0. Below is what `make` installs; made by `make lock`, from what each package says of itself.

| package | version | licence |
|---|---|---|
"""


def name_licence(package: Distribution) -> str:
    """Return the licence in a few words: the expression, the classifiers, or the first line of the field."""
    about = package.metadata
    classifiers = [text.rsplit(" :: ", 1)[-1] for text in about.get_all("Classifier") or [] if "License ::" in text]
    field = (about.get("License") or "").strip().partition("\n")[0]
    return about.get("License-Expression") or ", ".join(classifiers) or field[:LONGEST] or "not stated"


def main() -> None:
    """Write the page."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    names = sorted({*re.findall(r"^([A-Za-z0-9_.-]+)==", lock, re.M), "torch"}, key=str.lower)
    packages = [distribution(name) for name in names]
    rows = [f"| {each.name} | {each.version} | {name_licence(each)} |\n" for each in packages]
    (ROOT / "docs" / "licences.md").write_text(HEAD + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
