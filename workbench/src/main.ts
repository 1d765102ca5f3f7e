// Puts the page together.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { makeDetail } from "./detail";
import { h } from "./dom";
import { listen, makeHelp } from "./keyboard";
import { makeList } from "./list";
import { makeMap } from "./map";
import { readPayload } from "./payload";
import { makeHead, makeStrip } from "./strip";
import { makeThreshold } from "./threshold";

async function start(): Promise<void> {
  const app = new App(await readPayload());
  const help = makeHelp();
  const root = document.getElementById("app")!;
  root.replaceChildren(
    makeHead(app, () => help.showModal()), makeStrip(app),
    h("main", {}, h("div", { class: "left" }, makeThreshold(app), makeMap(app)), makeList(app), makeDetail(app)), help);
  listen(app, help);
  app.list();
  addEventListener("beforeunload", (event) => { if (!app.marks.kept && app.marks.total) event.preventDefault(); });
  requestAnimationFrame(() => {
    performance.mark("interactive");
    document.documentElement.dataset.ready = "true";
  });
}

start().catch((error: unknown) => {
  const root = document.getElementById("app")!;
  root.replaceChildren(h("p", { class: "loading" }, `This page cannot be shown: ${String(error)}. It needs a browser of 2023 or later.`));
  throw error;
});
