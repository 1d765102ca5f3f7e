// The map of the sphere around the prototype: WebGL where there is some, a plain canvas where there is none.

import createScatterplot from "regl-scatterplot";
import { App } from "./app";
import { h } from "./dom";
import { makePlainMap } from "./plainmap";
import { colours, onScheme } from "./scheme";

const RING = 30;

export interface Drawn {
  setLasso(on: boolean): void;
  show(place: number): void;
  reset(): void;
}

export function makeMap(app: App): HTMLElement {
  const { map } = app.header;
  const section = h("section", { class: "panel map", "aria-labelledby": "map-title" }, h("h2", { id: "map-title" }, "Map of the sphere"));
  if (!app.points) {
    section.append(h("p", { class: "muted", id: "no-map" }, map.why_not ?? ""));
    return section;
  }
  const canvas = h("canvas", { id: "map", role: "img", "aria-label": "Rows around the prototype; the list has the same rows" });
  const frame = h("div", { class: "mapframe" }, canvas);
  const lasso = h("button", { type: "button", class: "chip", id: "lasso", "aria-pressed": "false" }, "Lasso");
  const reset = h("button", { type: "button", class: "chip" }, "Reset view");
  section.append(h("div", { class: "chips" }, lasso, reset), frame,
    h("p", { class: "key" }, h("span", { class: "swatch low" }), "low score", h("span", { class: "swatch high" }), "high score, larger: known positive"),
    h("p", { class: "muted small" }, `The middle is the prototype, each ring ${RING}° farther away, by ${map.whose}. Only the distance from the middle has a meaning of its own.`));
  const pick = (places: number[]) => {
    if (places.length === 1) {
      app.goTo(places[0]);
    } else if (places.length) {
      app.selection = new Set(places);
      app.list();
    }
  };
  // After the list is there: drawing many points may take a moment.
  setTimeout(async () => {
    const far = reach(app);
    const drawn = await start(app, canvas, far, pick);
    lasso.addEventListener("click", () => {
      const on = lasso.getAttribute("aria-pressed") !== "true";
      lasso.setAttribute("aria-pressed", String(on));
      drawn.setLasso(on);
    });
    reset.addEventListener("click", () => drawn.reset());
    app.on(["current"], () => { if (app.place >= 0) drawn.show(app.place); });
    if (app.place >= 0) drawn.show(app.place);
    frame.dataset.ready = "true";
  }, 50);
  return section;
}

function reach(app: App): number {
  let far = RING;
  for (const angle of app.angle!) if (angle > far) far = angle;
  return Math.ceil(far / RING) * RING;
}

async function start(app: App, canvas: HTMLCanvasElement, far: number, pick: (places: number[]) => void): Promise<Drawn> {
  const probe = document.createElement("canvas").getContext("webgl");
  if (!probe) return makePlainMap(app, canvas, far, RING, pick);
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  try {
    return await makeWebglMap(app, canvas, far, pick);
  } catch {
    const plain = h("canvas", { id: "map", role: "img" });
    canvas.replaceWith(plain);
    return makePlainMap(app, plain, far, RING, pick);
  }
}

/** Scores as shares of the rows below, so that the colours tell apart however the scores are spread. */
export function shade(app: App): Float32Array {
  const n = app.score.length;
  return Float32Array.from(app.score, (_, place) => 1 - place / Math.max(1, n - 1));
}

async function makeWebglMap(app: App, canvas: HTMLCanvasElement, far: number, pick: (places: number[]) => void): Promise<Drawn> {
  const plot = createScatterplot({
    canvas, width: "auto", height: "auto", pointSize: [3, 6], sizeBy: "valueB", colorBy: "valueA", opacity: 0.8, lassoInitiator: false,
    lassoOnLongPress: false, deselectOnDblClick: true, pointSizeSelected: 3, pointOutlineWidth: 2,
  } as never);
  const paint = () => plot.set({
    backgroundColor: colours().panel, pointColor: ramp(), pointColorActive: colours().text, pointColorHover: colours().text, lassoColor: colours().text,
  } as never);
  paint();
  onScheme(paint);
  const n = app.row.length;
  const [x, y, valueA, valueB] = [new Float32Array(n), new Float32Array(n), shade(app), Float32Array.from(app.known)];
  for (let i = 0; i < n; i++) {
    x[i] = app.points![2 * i] / far;
    y[i] = app.points![2 * i + 1] / far;
  }
  await plot.draw({ x, y, z: valueA, w: valueB } as never);
  await plot.drawAnnotations(rings(far) as never).catch(() => undefined);
  let quiet = false;
  plot.subscribe("select", ({ points }) => { if (!quiet) pick(points); });
  return {
    setLasso: (on) => { plot.set({ mouseMode: on ? "lasso" : "panZoom" } as never); },
    show: (place) => {
      quiet = true;
      plot.select([place], { preventEvent: true } as never);
      quiet = false;
    },
    reset: () => { void plot.reset(); },
  };
}

function ramp(): string[] {
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => mix(colours().low, colours().accent, share));
}

function rings(far: number): object[] {
  const found: object[] = [];
  for (let angle = RING; angle <= far; angle += RING) {
    const points: [number, number][] = [];
    for (let i = 0; i <= 96; i++) points.push([(angle / far) * Math.cos((i * Math.PI) / 48), (angle / far) * Math.sin((i * Math.PI) / 48)]);
    found.push({ vertices: points, lineColor: colours().line, lineWidth: 1 });
  }
  return found;
}

export function mix(from: string, to: string, share: number): string {
  const parts = (colour: string) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const [a, b] = [parts(from), parts(to)];
  return `#${a.map((value, i) => Math.round(value + (b[i] - value) * share).toString(16).padStart(2, "0")).join("")}`;
}
