// Thumbnails, drawn from the pixels that the page holds.

import type { App } from "./app";
import { h } from "./dom";

export function drawImage(app: App, place: number): HTMLCanvasElement | null {
  const size = app.header.images;
  const at = app.deepPlace[place];
  if (!size || !app.images || at < 0) return null;
  const { height, width, channels } = size;
  const canvas = h("canvas", { class: "thumbnail", width, height, role: "img", "aria-label": `Row ${app.row[place]}` });
  const context = canvas.getContext("2d")!;
  const picture = context.createImageData(width, height);
  const start = at * height * width * channels;
  for (let i = 0; i < height * width; i++) {
    for (let c = 0; c < 3; c++) picture.data[4 * i + c] = app.images[start + i * channels + (channels === 3 ? c : 0)];
    picture.data[4 * i + 3] = 255;
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}
