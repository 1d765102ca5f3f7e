"""One page in which people look at a model's rows, move its threshold and mark what they know."""

from angularpu.explore.page import Explored as Explored
from angularpu.explore.page import write_page as write_page

__all__ = ["Explored", "write_page"]
