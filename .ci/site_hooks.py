"""What the site does with docstrings beyond mkdocstrings: Sphinx's roles, which editors understand, are not shown."""

import re
from typing import Any


def on_page_content(html: str, **_: Any) -> str:
    """Drop the role before a name: ``:class:`angularpu.Truth``` becomes the name alone."""
    return re.sub(r":(?:class|func|meth|mod|data|attr):(?=<code>)", "", html)
