"""The workbench page in a real browser."""

import csv
import io

from angularpu.audit.file import read_audit

# The contrast of every visible text against what lies behind it, as WCAG 2 defines it.
CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const linear = (v) => (v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(each).backgroundColor);
      if (a > 0) layers.push([r, g, b, a]);
      if (a === 1) break;
    }
    const cover = (under, [r, g, b, a]) => [r, g, b].map((v, i) => v * a + under[i] * (1 - a));
    return layers.reverse().reduce(cover, [255, 255, 255]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement, style = getComputedStyle(element);
    if (!node.textContent.trim() || !element.checkVisibility() || element.closest("option, :disabled")) continue;
    const [a, b] = [light(parse(style.color)), light(behind(element))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.push([node.textContent.slice(0, 30), style.color, ratio.toFixed(2)]);
  }
  return poor;
}"""


def flagged(page):
    return int(page.locator("#flagged").inner_text().replace(",", ""))


def download(page, button):
    with page.expect_download() as caught:
        page.click(button)
    return caught.value.path().read_text("utf-8")


def test_the_slider_moves_all_figures_and_a_rule_brings_them_back(visit):
    page = visit()
    before = flagged(page), page.locator("#recall").inner_text(), page.locator("#precision").inner_text()
    assert before[2].startswith("≤ ")
    assert "at most" in page.locator("#precision-interval").inner_text()
    page.focus("#threshold")
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    assert flagged(page) < before[0]
    assert page.locator("#recall").inner_text() != before[1]
    page.click("text=this model: pu-f1")
    assert (flagged(page), page.locator("#recall").inner_text(), page.locator("#precision").inner_text()) == before


def test_dragging_in_the_chart_moves_the_threshold(visit):
    page = visit()
    before = flagged(page)
    box = page.locator(".u-over").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + 20, steps=4)
    page.mouse.up()
    assert flagged(page) > before


def test_search_and_filters_list_the_rows_that_fit(visit):
    page = visit()
    assert page.locator("#total").inner_text() == "1,350 rows"
    page.fill("#search", "case-0200")
    assert page.locator("#total").inner_text() == "1 rows"
    assert page.locator(".space .line").count() == 1
    page.fill("#search", "")
    page.select_option("#filter-column", label="a")
    page.fill("#filter-value", "1.5")
    n = int(page.locator("#total").inner_text().split()[0])
    assert 0 < n < 1_350
    values = page.locator(".space .line .cell.number:nth-child(6)").all_inner_texts()
    assert values
    assert all(float(value) >= 1.5 for value in values)
    page.select_option("#filter-column", label="Filter a column")
    page.select_option("#show", "known")
    assert page.locator("#total").inner_text() == "150 rows"
    page.select_option("#show", "flagged")
    assert int(page.locator("#total").inner_text().split()[0].replace(",", "")) == flagged(page)


def test_of_many_rows_only_the_visible_ones_are_made(visit):
    page = visit()
    assert page.locator(".space .line").count() < 80
    page.locator("#list").evaluate("element => element.scrollTo(0, 20000)")
    page.wait_for_timeout(200)
    assert page.locator(".space .line").count() < 80
    assert page.locator("#line-560").count() == 1


def test_marks_by_mouse_and_by_keyboard_are_kept_and_exported(visit, folder):
    page = visit()
    page.click("#line-0 .mark.positive")
    page.focus("#list")
    for key in ("j", "n", "u", "p", "z", "k", "0"):
        page.keyboard.press(key)
    assert page.locator(".counts").inner_text() == "1 positive · 1 negative · 0 unsure"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".counts").inner_text() == "1 positive · 1 negative · 0 unsure"
    lines = list(csv.DictReader(io.StringIO(download(page, "#export"))))
    assert sorted(line["answer"] for line in lines) == ["negative", "positive"]
    assert {len(line["fingerprint"]) for line in lines} == {17}
    assert {line["schema"] for line in lines} == {"1"}
    assert all(1 <= int(line["row"]) <= 1_500 for line in lines)


def test_without_storage_the_page_works_and_says_so(visit, browser):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    page = context.new_page()
    source = visit()
    page.goto(source.url)
    page.wait_for_selector("html[data-ready]")
    assert "export your marks" in page.locator(".strip").inner_text()
    page.click("#line-0 .mark.negative")
    assert "1 negative" in page.locator(".counts").inner_text()
    context.close()


def test_keys_help_and_search_need_no_mouse(visit):
    page = visit()
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog.help").is_visible()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    before = page.locator("#threshold").input_value()
    page.keyboard.press("]")
    assert page.locator("#threshold").input_value() != before


def test_focus_is_visible(visit):
    page = visit()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


def test_a_row_says_why_it_scores_as_it_does(visit):
    page = visit()
    page.click("#line-3")
    detail = page.locator(".detail")
    assert detail.locator(".effects li").count() == 4
    assert detail.locator(".neighbour").count() == 3
    assert "from the prototype" in detail.inner_text()
    row = detail.locator(".neighbour span").first.inner_text().split()[1]
    detail.locator(".neighbour").first.click()
    assert page.locator("#detail-title").inner_text() == f"Row {row}"
    assert "known positive" in detail.inner_text()


def test_a_lasso_on_the_map_lists_its_rows(visit):
    page = visit()
    page.wait_for_selector(".mapframe[data-ready]")
    page.locator("#map").scroll_into_view_if_needed()
    page.click("#lasso")
    box = page.locator("#map").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle[0], middle[1] - 100)
    page.mouse.down()
    for x, y in ((170, -100), (170, 100), (0, 100), (0, -95)):
        page.mouse.move(middle[0] + x, middle[1] + y, steps=5)
        page.wait_for_timeout(60)  # points of a lasso that come at once count as one
        page.mouse.move(middle[0] + x - 1, middle[1] + y - 1)
        page.wait_for_timeout(60)
    page.mouse.up()
    page.wait_for_selector("text=from the map")
    n = int(page.locator("#total").inner_text().split()[0].replace(",", ""))
    assert 1 < n < 1_500
    page.click("text=from the map")
    assert page.locator("#total").inner_text() == "1,350 rows"


def test_a_click_on_the_map_chooses_the_row_under_it(visit):
    page = visit()
    page.wait_for_selector(".mapframe[data-ready]")
    page.locator("#map").scroll_into_view_if_needed()
    box = page.locator("#map").bounding_box()
    before = page.locator("#detail-title").inner_text()
    for step in range(60):  # from the middle outwards, until a row is met
        page.mouse.click(box["x"] + box["width"] / 2 + 3 * step, box["y"] + box["height"] / 2)
        page.wait_for_timeout(50)
        if page.locator("#detail-title").inner_text() != before:
            return
    raise AssertionError("no row was met")


def test_a_column_named_with_a_script_tag_is_only_a_name(visit):
    page = visit()
    assert page.evaluate("window.broken") is None
    assert page.get_by_role("columnheader", name="<script>window.broken=1</script>").count() == 1
    assert page.get_by_text("Oslo <b>").count() > 0


def test_a_narrow_window_has_one_column_and_nothing_sticks_out(visit):
    page = visit(width=400, height=850)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    left, listed = (page.locator(name).bounding_box() for name in (".threshold", ".list"))
    assert left["x"] == listed["x"]
    assert listed["y"] > left["y"]


def test_text_has_enough_contrast_in_light_and_in_dark(visit):
    shades = []
    for scheme in ("light", "dark"):
        page = visit(color_scheme=scheme)
        page.click("#line-0 .mark.positive")
        assert page.evaluate(CONTRAST) == []
        shades.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert shades[0] != shades[1]


def test_an_audit_is_answered_without_scores_and_its_export_is_read_by_threshold(visit, folder, tmp_path):
    page = visit("audit.html")
    assert page.locator("#total").inner_text() == "20 rows"
    assert page.locator(".cell.score").count() == 0
    page.focus("#list")
    for i in range(14):
        page.keyboard.press("pn"[i % 2])
    text = download(page, "#export-audit")
    (tmp_path / "audit.csv").write_text(text, newline="")
    (tmp_path / "audit.json").write_bytes((folder / "audit.json").read_bytes())
    answers = read_audit(tmp_path / "audit.csv")
    assert (answers.count(1), answers.count(0), answers.count(-2)) == (7, 7, 6)


def test_without_webgl_the_map_is_drawn_all_the_same(visit, browser):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest)"
        "{ return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); };"
    )
    page = context.new_page()
    page.goto(visit().url)
    page.wait_for_selector(".mapframe[data-ready]")
    canvas = page.locator("#map[data-plain]")
    canvas.scroll_into_view_if_needed()
    assert canvas.evaluate("c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)")
    context.close()
