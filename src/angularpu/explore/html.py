"""The page itself: styles, data and program in one file that loads nothing and can send nothing."""

import base64
import hashlib
from html import escape
from importlib import resources

# regl, which draws the map, makes its drawing functions from text: hence unsafe-eval. Scripts are allowed by their
# hash alone, so nothing that stands in the data can run, and no address can be loaded or sent to.
POLICY = (
    "default-src 'none'; script-src 'sha256-{script}' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)


def assemble_page(title: str, *, header: str, sections: str) -> str:
    """Return the HTML of a page.

    Parameters
    ----------
    title : str
    header : str
        JSON, as :func:`~angularpu.explore.container.dump_for_page` writes it.
    sections : str
        Base64, as :class:`~angularpu.explore.container.Sections` packs it.
    """
    bundle = resources.files("angularpu.explore") / "bundle"
    script = (bundle / "workbench.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(script=digest)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>",
            f"<style>{(bundle / 'workbench.css').read_text('utf-8')}</style></head>",
            '<body><div id="app"><p class="loading">Reading the rows …</p></div>',
            f'<script type="application/json" id="page-header">{header}</script>',
            f'<script type="application/octet-stream" id="page-sections">{sections}</script>',
            f"<script>{script}</script></body></html>\n",
        ]
    )
