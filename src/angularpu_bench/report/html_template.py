"""The HTML page around the report: its style, contents and footnotes, and the script that sorts tables."""

TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{{title}}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2630; background: #fff }
body { max-width: 1200px; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.2 }
h2 { border-bottom: 1px solid #d5dbe1; margin-top: 3rem; padding-bottom: .3rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #e6eaee; text-align: left }
.prose { white-space: normal; min-width: 18rem }
.prose:last-child { min-width: 36rem }
thead th { position: sticky; top: 0; background: #f4f6f8; white-space: normal; vertical-align: bottom }
tbody tr:hover { background: #fbf3ee }
th:first-child, td:first-child { position: sticky; left: 0; background: #fff }
button { all: unset; cursor: pointer; font-weight: 600 }
button:focus-visible { outline: 2px solid #c1440e }
th[aria-sort=ascending] button::after { content: " ▲" }
th[aria-sort=descending] button::after { content: " ▼" }
figure { margin: 1.5rem 0 }
figure svg { max-width: 100%; height: auto }
figcaption, .remarks { color: #52606d; font-size: 13px }
sup a { color: #c1440e; text-decoration: none }
</style>
</head>
<body>
<h1>{{title}}</h1>
<p>{{lead}}</p>
<nav><ul>{{contents}}</ul></nav>
{{body}}
<h2>{{notes_title}}</h2>
<ol>{{notes}}</ol>
<script>
for (const head of document.querySelectorAll("th")) head.addEventListener("click", () => {
  const table = head.closest("table"), down = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const sign = down ? -1 : 1, key = row => row.cells[head.cellIndex];
  const compare = (a, b) => {
    const x = key(a).dataset.value, y = key(b).dataset.value;
    if (x === undefined && y === undefined) return sign * -key(a).innerText.localeCompare(key(b).innerText);
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return sign * (x - y);
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compare));
});
</script>
</body>
</html>
"""
