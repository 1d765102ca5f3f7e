"""Addresses are opened over https only, wherever they are redirected to."""

import ssl
import urllib.request
from collections.abc import Callable
from typing import IO, Any
from urllib.parse import urlsplit

from angularpu.errors import DataError

OpenAddress = Callable[[urllib.request.Request], Any]  # gives the server's answer

TIMEOUT = 60  # seconds without a byte


class SameScheme(urllib.request.HTTPRedirectHandler):
    """Follows a redirection only where the scheme stays the same, so that https never becomes http."""

    def redirect_request(  # noqa: PLR0917 - as urllib calls it
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request for the new address, or raise if its scheme is another one."""
        if urlsplit(newurl).scheme != urlsplit(req.full_url).scheme:
            raise DataError(f"{req.full_url} redirects to {newurl}, which is not followed; try again later")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def open_https(request: urllib.request.Request, *, context: ssl.SSLContext | None = None) -> Any:
    """Open an https address; any other one is refused.

    Parameters
    ----------
    request : urllib.request.Request
    context : ssl.SSLContext, optional
        Whose certificates are trusted; by default those of the system.
    """
    if urlsplit(request.full_url).scheme != "https":
        raise DataError(f"{request.full_url} is not an https address, so it is not opened")
    director = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPSHandler(context=context),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        SameScheme(),
    ):
        director.add_handler(handler)
    return director.open(request, timeout=TIMEOUT)
