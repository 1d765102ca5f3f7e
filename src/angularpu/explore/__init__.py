"""One page in which people look at a model's rows, move its threshold and mark what they know."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.explore.page import Explored as Explored
    from angularpu.explore.page import write_page as write_page

__getattr__, __dir__, __all__ = export_lazily(__name__, {"page": ("Explored", "write_page")})
