// The head of the page, and what to know before trusting it.

import { App } from "./app";
import { count } from "./columns";
import { download } from "./csv";
import { h } from "./dom";
import { NEGATIVE, POSITIVE, UNSURE } from "./marks";

export function makeHead(app: App, openHelp: () => void): HTMLElement {
  const { header } = app;
  const shown = app.row.length === header.n ? "" : `, ${count(app.row.length)} of them shown`;
  const about = `${header.method} · ${count(header.n)} rows${shown} · ${count(header.known)} known positives`;
  const counts = h("span", { class: "counts", "aria-live": "polite" });
  const reviews = h("button", { type: "button", class: "primary", id: "export", click: () => exportReviews(app) }, "Export reviews");
  const answers = header.audit
    && h("button", { type: "button", class: "primary", id: "export-audit",
                     click: () => download(header.audit!.name, app.marks.answers()) }, "Export audit answers");
  const update = () => {
    const { marks } = app;
    counts.textContent = marks.total
      ? `${marks.count(POSITIVE)} positive · ${marks.count(NEGATIVE)} negative · ${marks.count(UNSURE)} unsure`
      : "Nothing marked yet";
    reviews.disabled = !marks.total;
  };
  app.on(["marks"], update);
  update();
  return h("header", { class: "head" },
    h("div", { class: "about" }, h("h1", {}, header.title), h("p", { class: "muted" }, about)),
    h("div", { class: "actions" }, counts, answers || null, reviews,
      h("button", { type: "button", class: "icon", "aria-label": "Keyboard help", title: "Keyboard help (?)", click: openHelp }, "?")));
}

export function exportReviews(app: App): void {
  if (app.marks.total) download("reviews.csv", app.marks.reviews());
}

export function makeStrip(app: App): HTMLElement {
  const { notices } = app.header;
  const list = [...notices];
  if (!app.marks.kept) {
    list.unshift({ level: "warning", title: "Marks", text: "This browser keeps nothing for pages opened from disk: export your marks before you close the tab." });
  }
  if (!app.header.known) {
    list.push({ level: "note", title: "Known positives", text: "None are marked in this file, so all rows count as unlabelled; explore --label names the column that marks them." });
  }
  const strip = h("section", { class: "strip", "aria-label": "What to know before trusting these figures" });
  const main = list.filter((each) => each.title !== "Note");
  const notes = list.filter((each) => each.title === "Note");
  for (const each of main) {
    strip.append(h("details", { class: `notice ${each.level}` },
      h("summary", {}, h("span", { class: "sign", "aria-hidden": "true" }, each.level === "warning" ? "!" : each.level === "good" ? "✓" : "i"),
        h("b", {}, each.title), h("span", { class: "brief" }, each.text)),
      h("p", {}, each.text)));
  }
  if (notes.length) {
    strip.append(h("details", { class: "notice note" },
      h("summary", {}, h("span", { class: "sign", "aria-hidden": "true" }, "i"), h("b", {}, "Notes"),
        h("span", { class: "brief" }, `${notes.length} more about this fit`)),
      h("ul", {}, ...notes.map((each) => h("li", {}, each.text)))));
  }
  return strip;
}
