// One row: what it is, why it scores as it does, and what people say of it.

import { App } from "./app";
import { formatNumber, percent } from "./columns";
import { h } from "./dom";
import { drawImage } from "./images";
import { makeMarks, showMark } from "./list";

export function makeDetail(app: App): HTMLElement {
  const content = h("div", { class: "content" });
  const update = () => content.replaceChildren(...(app.place < 0 ? [h("p", { class: "muted" }, "No row is chosen.")] : describe(app, app.place)));
  app.on(["current"], update);
  app.on(["marks"], () => { if (app.place >= 0) showMark(app, content, app.place); });
  app.on(["threshold"], update);
  return h("section", { class: "panel detail", "aria-labelledby": "detail-title", "aria-live": "off" }, content);
}

function describe(app: App, place: number): HTMLElement[] {
  const marks = h("div", { class: "bigmarks" }, ...makeMarks(app, place));
  marks.querySelectorAll(".mark").forEach((button, i) => {
    button.removeAttribute("tabindex");
    const words = app.blind ? ["Yes", "No", "Unsure"] : ["Positive", "Negative", "Unsure"];
    button.replaceChildren(h("span", {}, words[i]), h("kbd", {}, "pnu"[i]));
  });
  showMark(app, marks, place);
  const image = drawImage(app, place);
  const state = app.known[place] ? "known positive" : app.score[place] > app.threshold ? "flagged" : "not flagged";
  const head = h("div", { class: "rowhead" }, h("h2", { id: "detail-title" }, `Row ${app.row[place].toLocaleString("en")}`),
    h("span", { class: "muted" }, app.blind ? "scores are hidden while you answer" : state));
  const parts: HTMLElement[] = [head];
  if (image) parts.push(h("div", { class: "picture" }, image));
  parts.push(marks);
  if (!app.blind) parts.push(listScores(app, place), ...explain(app, place), ...compare(app, place));
  parts.push(listColumns(app, place));
  return parts;
}

function listScores(app: App, place: number): HTMLElement {
  const most = app.header.curve.bound ? "at most " : "";
  const pairs: [string, string][] = [["Score", formatNumber(app.score[place])], ["Probability", most + percent(app.probability[place])]];
  if (app.angle) pairs.push(["Angle", `${app.angle[place].toFixed(1)}° from the prototype`]);
  return h("dl", { class: "scores" }, ...pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function explain(app: App, place: number): HTMLElement[] {
  const { effects } = app.header;
  const title = h("h3", {}, "Columns that moved the score");
  if (effects.why_not || !app.effects) return [title, h("p", { class: "muted small" }, sentence(effects.why_not ?? ""))];
  const at = app.deepPlace[place];
  if (at < 0 || at >= effects.rows!) return [title, h("p", { class: "muted small" }, "Kept for the best rows and a sample only.")];
  const each = effects.each!;
  const values = Array.from(app.effects.subarray(at * each, (at + 1) * each));
  const largest = Math.max(...values.map(Math.abs)) || 1;
  const bars = values.map((value, i) => {
    const name = effects.names![app.effectColumns![at * each + i]];
    const own = app.columns.find((column) => column.name === name)?.text(place);
    const bar = h("i", { class: value < 0 ? "down" : "up" });
    bar.style.width = `${(50 * Math.abs(value)) / largest}%`;
    return h("li", {}, h("span", { class: "name", title: name }, name, own === undefined || own === null ? "" : h("em", {}, ` ${own.slice(0, 40)}`)),
      h("span", { class: "effect", "aria-hidden": "true" }, bar), h("span", { class: "value" }, (value > 0 ? "+" : value < 0 ? "−" : "") + Number(Math.abs(value).toPrecision(2))));
  });
  return [title, h("ul", { class: "effects" }, ...bars), h("p", { class: "muted small" }, "How much higher the score is than with an ordinary value in that column.")];
}

function compare(app: App, place: number): HTMLElement[] {
  const { neighbours } = app.header;
  const title = h("h3", {}, "Nearest known positives");
  if (neighbours.why_not || !app.neighbours) {
    return [title, h("p", { class: "muted small" }, sentence(neighbours.why_not ?? ""))];
  }
  const at = neighbours.deep ? app.deepPlace[place] : place;
  const each = neighbours.each!;
  const items: HTMLElement[] = [];
  for (let i = 0; i < each && at >= 0; i++) {
    const other = app.neighbours[at * each + i];
    if (other < 0) continue;
    const hint = app.columns.find((column) => column.kind !== "number")?.text(other);
    items.push(h("li", {}, h("button", { type: "button", class: "neighbour", click: () => app.goTo(other) }, drawImage(app, other),
      h("span", {}, `Row ${app.row[other].toLocaleString("en")}`, hint ? h("em", {}, ` ${hint.slice(0, 60)}`) : null),
      h("span", { class: "value" }, `${app.neighbourAngles![at * each + i].toFixed(1)}°`))));
  }
  if (!items.length) return [title, h("p", { class: "muted small" }, "Kept for the best rows and a sample only.")];
  return [title, h("ul", { class: "neighbours" }, ...items), h("p", { class: "muted small" }, `Found ${neighbours.how}.`)];
}

function listColumns(app: App, place: number): HTMLElement {
  const pairs = app.columns.map((column) => {
    const text = column.text(place);
    return h("div", {}, h("dt", { title: column.name }, column.name), h("dd", { class: text === null ? "missing" : undefined }, text ?? "–"));
  });
  return h("dl", { class: "columns" }, ...pairs);
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
