// Keys: reviewing many rows by hand must not need the mouse.

import { App } from "./app";
import { h } from "./dom";
import { NEGATIVE, NONE, POSITIVE, UNSURE } from "./marks";
import { exportReviews } from "./strip";

const KEYS: [string, string][] = [
  ["j  ↓", "next row"], ["k  ↑", "previous row"], ["p", "mark positive, and go on"], ["n", "mark negative, and go on"],
  ["u", "mark unsure, and go on"], ["0", "take the mark off"], ["z", "undo the last mark"], ["[  ]", "lower or raise the threshold"],
  ["/", "search"], ["e", "export the reviews"], ["?", "this help"], ["Esc", "leave a field, close this"],
];

export function makeHelp(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Keys"),
    h("dl", {}, ...KEYS.map(([key, what]) => h("div", {}, h("dt", {}, ...key.split("  ").map((each) => h("kbd", {}, each))), h("dd", {}, what)))),
    h("button", { type: "button", class: "primary", click: () => dialog.close() }, "Close"));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  return dialog;
}

export function listen(app: App, help: HTMLDialogElement): void {
  const answer = (mark: number) => {
    app.mark(app.place, mark);
    if (mark !== NONE) app.setCurrent(app.current + 1);
  };
  const actions: Record<string, () => void> = {
    j: () => app.setCurrent(app.current + 1), ArrowDown: () => app.setCurrent(app.current + 1),
    k: () => app.setCurrent(app.current - 1), ArrowUp: () => app.setCurrent(app.current - 1),
    PageDown: () => app.setCurrent(app.current + 10), PageUp: () => app.setCurrent(app.current - 10),
    Home: () => app.setCurrent(0), End: () => app.setCurrent(app.listed.length - 1),
    p: () => answer(POSITIVE), n: () => answer(NEGATIVE), u: () => answer(UNSURE), "0": () => answer(NONE), Backspace: () => answer(NONE),
    z: () => {
      const place = app.marks.undo();
      if (place === null) return;
      app.emit("marks");
      app.goTo(place);
    },
    "[": () => app.setCut(app.cut - 1), "]": () => app.setCut(app.cut + 1),
    "/": () => document.getElementById("search")!.focus(),
    e: () => exportReviews(app),
    "?": () => (help.open ? help.close() : help.showModal()),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && target.matches("input, select")) return target.blur();
    if (help.open && event.key !== "?") return;
    if (target.matches("input, select, textarea")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
