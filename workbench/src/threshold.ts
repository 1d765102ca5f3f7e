// The threshold: two distributions, a slider, the named rules, and what the chosen threshold does.

import uPlot from "uplot";
import { App } from "./app";
import { count, formatNumber, percent } from "./columns";
import { h } from "./dom";
import type { Triple } from "./header";
import { colours, onScheme } from "./scheme";

const HEIGHT = 132, CURVES = 112, AXIS = 38;

export function makeThreshold(app: App): HTMLElement {
  const { header } = app;
  const plots = h("div", { class: "plots" });
  const slider = h("input", {
    type: "range", id: "threshold", min: 0, max: 1, step: "any", "aria-label": "Threshold",
    input: () => app.setCut(app.nearestCut(Number(slider.value))),
    keydown: (event: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!step) return;
      event.preventDefault();
      app.setCut(app.cut + step);
    },
  });
  const { edges } = header.bins;
  // The outermost thresholds lie beyond all scores, as far as they please.
  const margin = (edges[edges.length - 1] - edges[0]) / 50;
  const range: [number, number] = [edges[0] - margin, edges[edges.length - 1] + margin];
  slider.min = String(range[0]);
  slider.max = String(range[1]);
  const figures = makeFigures(app);
  const drawn = [makeHistogram(app, range, plots), makeCurves(app, range, plots)];
  const update = () => {
    slider.value = String(app.threshold);
    slider.setAttribute("aria-valuetext", `${formatNumber(app.threshold)}, ${count(header.curve.flagged[app.cut])} rows flagged`);
    for (const plot of drawn) plot.redraw();
  };
  app.on(["threshold"], update);
  onScheme(update);
  requestAnimationFrame(update);
  return h("section", { class: "panel threshold", "aria-labelledby": "threshold-title" },
    h("h2", { id: "threshold-title" }, "Threshold"), figures, makeRules(app), plots, slider,
    h("p", { class: "muted small" },
      `Intervals are 90%, from ${count(header.held.pos)} positives and ${count(header.held.unl)} unlabelled rows (${header.held.source}). `
      + "Flagged rows are those of this file."));
}

function makeRules(app: App): HTMLElement {
  const rules = app.header.rules.filter((rule) => rule.own || rule.rule !== app.header.rule);
  const buttons = rules.map((rule) => {
    const at = rule.threshold === undefined ? -1 : app.nearestCut(rule.threshold);
    const name = rule.own ? `this model: ${app.header.rule}` : rule.rule;
    return { at, button: h("button", { type: "button", class: "chip", disabled: at < 0, title: rule.refused ?? `The threshold of the rule ${name}`,
                                       click: () => app.setCut(at) }, name) };
  });
  const update = () => {
    for (const { at, button } of buttons) button.setAttribute("aria-pressed", String(at === app.cut));
  };
  app.on(["threshold"], update);
  update();
  return h("div", { class: "chips", role: "group", "aria-label": "Named rules" }, ...buttons.map((each) => each.button));
}

function makeFigures(app: App): HTMLElement {
  const { curve, unlabelled } = app.header;
  const tiles = [makeTile("recall", "Recall"), makeTile("precision", "Precision"), makeTile("f1", "F1")];
  const flagged = { value: h("strong", { id: "flagged" }), note: h("small", {}) };
  const update = () => {
    const shares: (Triple | null)[] = [curve.recall[app.cut], curve.precision[app.cut], curve.f1[app.cut]];
    tiles.forEach((tile, i) => tile.set(shares[i], i > 0 && curve.bound, curve.audited && i > 0));
    const n = curve.flagged[app.cut];
    flagged.value.textContent = count(n);
    flagged.note.replaceChildren(percent(n / Math.max(1, unlabelled)), h("br"), "of unlabelled");
  };
  app.on(["threshold"], update);
  update();
  return h("div", { class: "figures", "aria-live": "polite" }, ...tiles.map((tile) => tile.element),
    h("div", { class: "tile" }, h("span", { class: "label" }, "Flagged"), flagged.value, flagged.note));
}

function makeTile(id: string, label: string) {
  const value = h("strong", { id });
  const note = h("small", { id: `${id}-interval` });
  const span = h("i", {});
  const tick = h("b", {});
  const element = h("div", { class: "tile" }, h("span", { class: "label" }, label), value,
    h("span", { class: "bar", "aria-hidden": "true" }, span, tick), note);
  function set(share: Triple | null, bound: boolean, audited: boolean): void {
    element.classList.toggle("unknown", !share);
    if (!share) {
      value.textContent = "–";
      note.textContent = "not known";
      return;
    }
    const [middle, low, high] = share;
    value.textContent = (bound ? "≤ " : "") + percent(middle);
    value.title = bound ? "At most: the share of positives is an upper bound" : "";
    note.replaceChildren(`${(100 * low).toFixed(1)}–${percent(high)}`, h("br"), bound ? "at most" : audited ? "audited" : "90% interval");
    span.style.left = percent(low);
    span.style.width = percent(Math.max(0.004, high - low));
    tick.style.left = percent(middle);
  }
  return { element, set };
}

// A line at the threshold, which the pointer drags.
function threshold(app: App): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        const { ctx, bbox } = plot;
        const far = Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(app.threshold, "x", true)));
        const x = Math.round(far);
        ctx.save();
        ctx.fillStyle = colours().tint;
        ctx.fillRect(x, bbox.top, bbox.left + bbox.width - x, bbox.height);
        ctx.fillStyle = colours().text;
        ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height);
        ctx.restore();
      },
      ready: (plot) => {
        const move = (event: PointerEvent) => {
          const box = plot.over.getBoundingClientRect();
          app.setCut(app.nearestCut(plot.posToVal(event.clientX - box.left, "x")));
        };
        plot.over.addEventListener("pointerdown", (event) => {
          plot.over.setPointerCapture(event.pointerId);
          move(event);
        });
        plot.over.addEventListener("pointermove", (event) => { if (event.buttons & 1) move(event); });
      },
    },
  };
}

function axis(show: boolean, values?: uPlot.Axis.Values): uPlot.Axis {
  return {
    show, stroke: () => colours().muted, font: "11px system-ui, sans-serif", size: 22, gap: 3, values,
    grid: { show: false }, ticks: { show: false },
  };
}

function base(app: App, range: [number, number], height: number, right: number): Omit<uPlot.Options, "series" | "width"> {
  return {
    height, padding: [8, right, 6, 0], legend: { show: false }, cursor: { show: false }, plugins: [threshold(app)],
    scales: { x: { time: false, range: () => range } },
  };
}

function fitted(plot: uPlot, holder: HTMLElement, height: number): uPlot {
  new ResizeObserver(() => {
    if (holder.clientWidth) plot.setSize({ width: holder.clientWidth, height });
  }).observe(holder);
  return plot;
}

function makeHistogram(app: App, range: [number, number], plots: HTMLElement): uPlot {
  const { edges, unlabelled, positive } = app.header.bins;
  const share = (counts: number[]) => {
    const total = counts.reduce((sum, each) => sum + each, 0) || 1;
    const shares = counts.map((each) => each / total);
    return [...shares, shares[shares.length - 1]];
  };
  const holder = h("div", { class: "plot", role: "img", "aria-label": "Scores of unlabelled rows and of held-out positives" });
  plots.append(h("p", { class: "key" }, h("span", { class: "swatch unlabelled" }), "unlabelled rows",
    h("span", { class: "swatch positive" }), "held-out positives"), holder);
  const step = uPlot.paths.stepped!({ align: 1 });
  const plot = new uPlot({
    ...base(app, range, HEIGHT, AXIS), width: 400,
    axes: [axis(true), axis(false)],
    series: [
      {},
      { paths: step, points: { show: false }, stroke: () => colours().muted, fill: () => colours().soft, width: 1.5 },
      { paths: step, points: { show: false }, stroke: () => colours().accent, fill: () => colours().accentSoft, width: 2 },
    ],
  }, [edges, share(unlabelled), share(positive)], holder);
  return fitted(plot, holder, HEIGHT);
}

function makeCurves(app: App, range: [number, number], plots: HTMLElement): uPlot {
  const { curve } = app.header;
  const pick = (triples: (Triple | null)[], i: number) => triples.map((triple) => (triple ? triple[i] : null));
  const most = curve.bound ? " (at most)" : "";
  const holder = h("div", { class: "plot", role: "img", "aria-label": "Recall, precision and F1 by threshold" });
  plots.append(h("p", { class: "key" }, h("span", { class: "swatch curve recall" }), "recall",
    h("span", { class: "swatch curve precision" }), `precision${most}`, h("span", { class: "swatch curve f1" }), `F1${most}`), holder);
  const line = (stroke: () => string, dash?: number[]): uPlot.Series => ({ stroke, dash, width: 2, points: { show: false } });
  const edge: uPlot.Series = { stroke: "transparent", points: { show: false } };
  const plot = new uPlot({
    ...base(app, range, CURVES, 0), width: 400,
    scales: { x: { time: false, range: () => range }, y: { range: [0, 1] } },
    axes: [axis(false), { ...axis(true, (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)}%`)), side: 1, size: AXIS, splits: [0, 0.5, 1],
                          grid: { show: true, stroke: () => colours().line, width: 1 } }],
    series: [{}, edge, edge, edge, edge, line(() => colours().accent), line(() => colours().text, [6, 4]), line(() => colours().muted, [2, 3])],
    bands: [{ series: [2, 1], fill: () => colours().accentSoft }, { series: [4, 3], fill: () => colours().soft }],
  }, [
    curve.threshold, pick(curve.recall, 1), pick(curve.recall, 2), pick(curve.precision, 1), pick(curve.precision, 2),
    pick(curve.recall, 0), pick(curve.precision, 0), pick(curve.f1, 0),
  ] as uPlot.AlignedData, holder);
  return fitted(plot, holder, CURVES);
}
