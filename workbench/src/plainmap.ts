// The map without WebGL: points on a plain canvas, with click and lasso.

import type { App } from "./app";
import { type Drawn, mix, shade } from "./map";
import { colours, onScheme } from "./scheme";

const NEAR = 8;
type Point = [number, number];

export function makePlainMap(app: App, canvas: HTMLCanvasElement, far: number, ring: number, pick: (places: number[]) => void): Drawn {
  const context = canvas.getContext("2d")!;
  const points = app.points!;
  const shades = shade(app);
  let lasso = false, current = -1, path: Point[] = [];
  canvas.dataset.plain = "true";

  const size = () => canvas.clientWidth || 1;
  const at = (place: number): Point => [(points[2 * place] / far / 2.1 + 0.5) * size(), (0.5 - points[2 * place + 1] / far / 2.1) * size()];
  const background = document.createElement("canvas");

  function paint(): void {
    const side = size() * devicePixelRatio;
    background.width = background.height = canvas.width = canvas.height = side;
    const pen = background.getContext("2d")!;
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.strokeStyle = colours().line;
    for (let angle = ring; angle <= far; angle += ring) {
      pen.beginPath();
      pen.arc(size() / 2, size() / 2, (angle / far / 2.1) * size(), 0, 2 * Math.PI);
      pen.stroke();
    }
    for (let place = app.row.length - 1; place >= 0; place--) {
      const [x, y] = at(place);
      const wide = app.known[place] ? 5 : 2.5;
      pen.fillStyle = mix(colours().low, colours().accent, Math.round(shades[place] * 8) / 8);
      pen.fillRect(x - wide / 2, y - wide / 2, wide, wide);
    }
    show();
  }

  function show(): void {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(background, 0, 0);
    context.scale(devicePixelRatio, devicePixelRatio);
    context.strokeStyle = colours().text;
    context.lineWidth = 2;
    if (current >= 0) {
      context.beginPath();
      context.arc(...at(current), 6, 0, 2 * Math.PI);
      context.stroke();
    }
    if (path.length > 1) {
      context.beginPath();
      path.forEach((point, i) => (i ? context.lineTo(...point) : context.moveTo(...point)));
      context.stroke();
    }
  }

  const where = (event: PointerEvent): Point => [event.offsetX, event.offsetY];
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    path = [where(event)];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!lasso || !(event.buttons & 1)) return;
    path.push(where(event));
    show();
  });
  canvas.addEventListener("pointerup", (event) => {
    const drawn = path;
    path = [];
    if (lasso && drawn.length > 2) pick(all((place) => inside(at(place), drawn)));
    else {
      const [x, y] = where(event);
      let best = -1, least = NEAR;
      all((place) => {
        const [px, py] = at(place);
        const distance = Math.hypot(px - x, py - y);
        if (distance < least) [best, least] = [place, distance];
        return false;
      });
      if (best >= 0) pick([best]);
    }
    show();
  });
  const all = (test: (place: number) => boolean): number[] => {
    const found: number[] = [];
    for (let place = 0; place < app.row.length; place++) if (test(place)) found.push(place);
    return found;
  };
  new ResizeObserver(paint).observe(canvas);
  onScheme(paint);
  paint();
  return {
    setLasso: (on) => { lasso = on; },
    show: (place) => { current = place; show(); },
    reset: paint,
  };
}

function inside([x, y]: Point, polygon: Point[]): boolean {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [[ax, ay], [bx, by]] = [polygon[i], polygon[j]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
