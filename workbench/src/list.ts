// The ranked list, of which only the visible rows are ever made; and its search and filters.

import { App, Show } from "./app";
import { count, formatNumber } from "./columns";
import { h } from "./dom";
import { drawImage } from "./images";
import { NEGATIVE, NONE, POSITIVE, SIGNS, UNSURE, WORDS } from "./marks";

const BEYOND = 6;
const WIDTHS = { number: 92, code: 132, text: 260 };
const SHOWS: [Show, string][] = [
  ["unlabelled", "Unlabelled rows"], ["flagged", "Flagged"], ["unflagged", "Not flagged"], ["unmarked", "Not marked yet"],
  ["marked", "Marked"], ["positive", "Marked positive"], ["negative", "Marked negative"], ["unsure", "Marked unsure"],
  ["known", "Known positives"], ["all", "All rows"],
];

export function makeList(app: App): HTMLElement {
  const tall = app.header.images ? 56 : 36;
  const names = h("div", { class: "line names", role: "row" });
  const space = h("div", { class: "space", role: "presentation" });
  const body = h("div", { class: "rows", tabindex: 0, role: "grid", id: "list", "aria-label": "Rows, the highest score first" }, names, space);
  const empty = h("p", { class: "empty muted" }, "No row fits these filters.");
  let drawn = new Map<number, HTMLElement>();

  const width = () => `${(app.blind ? 204 : 300) + (app.header.images ? 64 : 0) + app.columns.reduce((sum, column) => sum + WIDTHS[column.kind], 0)}px`;
  const clear = () => {
    for (const line of drawn.values()) line.remove();
    drawn = new Map();
  };
  const draw = () => {
    const first = Math.max(0, Math.floor(body.scrollTop / tall) - BEYOND);
    const last = Math.min(app.listed.length, Math.ceil((body.scrollTop + body.clientHeight) / tall) + BEYOND);
    for (const [index, line] of drawn) {
      if (index < first || index >= last) {
        line.remove();
        drawn.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (drawn.has(index)) continue;
      const line = makeLine(app, index, tall);
      drawn.set(index, line);
      space.append(line);
    }
  };
  const relist = () => {
    clear();
    names.replaceChildren(...makeNames(app));
    names.style.width = space.style.width = width();
    space.style.height = `${app.listed.length * tall}px`;
    body.setAttribute("aria-rowcount", String(app.listed.length));
    empty.hidden = app.listed.length > 0;
    body.scrollTop = Math.min(body.scrollTop, Math.max(0, app.listed.length * tall - body.clientHeight));
    draw();
  };
  const follow = () => {
    for (const [index, line] of drawn) mark(app, line, index);
    if (app.current < 0) return;
    body.setAttribute("aria-activedescendant", `line-${app.current}`);
    const top = app.current * tall;
    const seen = body.clientHeight - names.offsetHeight;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + tall > body.scrollTop + seen) body.scrollTop = top + tall - seen;
  };
  body.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(body);
  app.on(["list"], relist);
  app.on(["current"], follow);
  app.on(["marks", "threshold"], () => { for (const [index, line] of drawn) mark(app, line, index); });
  return h("section", { class: "panel list", "aria-labelledby": "list-title" }, makeBar(app), h("div", { class: "frame" }, body, empty));
}

function makeNames(app: App): HTMLElement[] {
  const fixed = (name: string, kind: string) => h("span", { class: `cell ${kind}`, role: "columnheader" }, name);
  const cells = [fixed("#", "rank"), fixed("Mark", "marks")];
  if (app.header.images) cells.push(fixed("", "image"));
  if (!app.blind) cells.push(fixed("Score", "score"));
  cells.push(...app.columns.map((column, i) => {
    const on = app.sort?.column === i;
    const name = h("button", { type: "button", class: "sort", title: `Sort by ${column.name}`, click: () => {
      app.sort = !on ? { column: i, down: true } : app.sort!.down ? { column: i, down: false } : null;
      app.list();
    } }, column.name, on ? (app.sort!.down ? " ↓" : " ↑") : "");
    return h("span", { class: `cell ${column.kind}`, role: "columnheader", "aria-sort": on ? (app.sort!.down ? "descending" : "ascending") : undefined }, name);
  }));
  return cells;
}

function makeLine(app: App, index: number, tall: number): HTMLElement {
  const place = app.listed[index];
  const line = h("div", { class: "line", role: "row", id: `line-${index}`, "aria-rowindex": index + 1, click: () => app.setCurrent(index) });
  line.style.top = `${index * tall}px`;
  line.style.height = `${tall}px`;
  line.append(h("span", { class: "cell rank", role: "gridcell", title: `Row ${app.row[place]} of the file` }, count(index + 1)),
    h("span", { class: "cell marks", role: "gridcell" }, ...makeMarks(app, place)));
  if (app.header.images) line.append(h("span", { class: "cell image", role: "gridcell" }, drawImage(app, place) ?? ""));
  if (!app.blind) line.append(h("span", { class: "cell score", role: "gridcell" }, formatNumber(app.score[place])));
  for (const column of app.columns) {
    const text = column.text(place);
    line.append(h("span", { class: `cell ${column.kind}${text === null ? " missing" : ""}`, role: "gridcell", title: text ?? undefined }, text?.slice(0, 200) ?? "–"));
  }
  mark(app, line, index);
  return line;
}

export function makeMarks(app: App, place: number): HTMLElement[] {
  const words = app.blind ? ["", "yes", "no", "unsure"] : WORDS;
  return [POSITIVE, NEGATIVE, UNSURE].map((kind) => h("button", {
    type: "button", class: `mark ${WORDS[kind]}`, tabindex: -1, "aria-label": `Mark row ${app.row[place]} ${words[kind]}`, title: words[kind],
    click: (event: Event) => {
      event.stopPropagation();
      app.mark(place, app.marks.of[place] === kind ? NONE : kind);
    },
  }, SIGNS[kind]));
}

export function showMark(app: App, holder: Element, place: number): void {
  holder.querySelectorAll(".mark").forEach((button, i) => button.setAttribute("aria-pressed", String(app.marks.of[place] === i + 1)));
}

function mark(app: App, line: HTMLElement, index: number): void {
  const place = app.listed[index];
  line.classList.toggle("current", index === app.current);
  line.setAttribute("aria-selected", String(index === app.current));
  line.classList.toggle("flagged", !app.blind && app.score[place] > app.threshold);
  line.classList.toggle("known", app.known[place] === 1);
  showMark(app, line, place);
}

function makeBar(app: App): HTMLElement {
  const options = app.header.audit ? [["audit", "The audit's rows"] as [Show, string], ...SHOWS] : SHOWS;
  const show = h("select", { id: "show", "aria-label": "Which rows", change: () => { app.show = show.value as Show; app.selection = null; app.list(); } },
    ...options.map(([value, name]) => h("option", { value }, name)));
  const search = h("input", { type: "search", id: "search", placeholder: "Search text or row", "aria-label": "Search", autocomplete: "off", input: () => { app.search = search.value; app.list(); } });
  const column = h("select", { id: "filter-column", "aria-label": "Column to filter by" }, h("option", { value: "" }, "Filter a column"),
    ...app.columns.map((each, i) => h("option", { value: i }, each.name)));
  const how = h("select", { id: "filter-how", "aria-label": "How to compare" },
    h("option", { value: "least" }, "at least"), h("option", { value: "most" }, "at most"), h("option", { value: "is" }, "is"), h("option", { value: "has" }, "contains"));
  const value = h("input", { id: "filter-value", "aria-label": "Value to compare with", placeholder: "value", autocomplete: "off" });
  const change = () => {
    app.filter = column.value === "" ? null : { column: Number(column.value), how: how.value as "has", value: value.value };
    app.list();
  };
  column.addEventListener("change", () => {
    how.value = app.columns[Number(column.value)]?.kind === "number" ? "least" : "has";
    change();
  });
  how.addEventListener("change", change);
  value.addEventListener("input", change);
  const chosen = h("button", { type: "button", class: "chip on", click: () => { app.selection = null; app.list(); } });
  const total = h("span", { class: "muted total", "aria-live": "polite", id: "total" });
  app.on(["list"], () => {
    show.value = app.show;
    search.value = app.search;
    if (!app.filter) column.value = "";
    how.hidden = value.hidden = !app.filter;
    chosen.hidden = !app.selection;
    chosen.textContent = app.selection ? `${count(app.selection.size)} from the map ×` : "";
    total.textContent = `${count(app.listed.length)} rows`;
  });
  return h("div", { class: "listbar" }, h("h2", { id: "list-title" }, app.header.audit ? "Rows to check" : "Ranked rows"), total,
    h("div", { class: "filters" }, show, search, column, how, value, chosen));
}
