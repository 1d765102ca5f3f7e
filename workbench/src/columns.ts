// Columns of the rows, as typed arrays, words by number, or one long text.

import type { ColumnSpec, Numbers } from "./header";
import type { Payload } from "./payload";

const decoder = new TextDecoder();

export class Column {
  readonly name: string;
  readonly kind: ColumnSpec["kind"];
  readonly deep: boolean;
  private readonly values: Numbers;
  private readonly ends: Numbers | null;
  private readonly words: (string | null)[];
  private readonly cut: number;

  constructor(spec: ColumnSpec, payload: Payload, private readonly deepPlace: Int32Array) {
    this.name = spec.name;
    this.kind = spec.kind;
    this.deep = spec.deep;
    this.values = payload.section(spec.values);
    this.ends = spec.ends ? payload.section(spec.ends) : null;
    this.words = spec.words ?? [];
    this.cut = spec.cut ?? Infinity;
  }

  private at(place: number): number {
    return this.deep ? this.deepPlace[place] : place;
  }

  /** The number of a row; NaN where there is none. */
  number(place: number): number {
    const at = this.at(place);
    if (at < 0) return NaN;
    return this.kind === "number" ? this.values[at] : Number(this.text(place) || NaN);
  }

  /** What is shown of a row; null where the value is missing or was not kept. */
  text(place: number): string | null {
    const at = this.at(place);
    if (at < 0) return null;
    if (this.kind === "number") return Number.isNaN(this.values[at]) ? null : formatNumber(this.values[at]);
    if (this.kind === "code") return this.words[this.values[at]];
    const ends = this.ends!;
    const start = at ? ends[at - 1] : 0;
    const text = decoder.decode((this.values as Uint8Array).subarray(start, ends[at]));
    return text.length >= this.cut ? `${text}…` : text;
  }

  /** A function that tells whether a row's text contains a lower-case text; words are looked at once each. */
  matcher(wanted: string): (place: number) => boolean {
    if (this.kind === "code") {
      const hit = this.words.map((word) => word !== null && word.toLowerCase().includes(wanted));
      return (place) => {
        const at = this.at(place);
        return at >= 0 && hit[this.values[at]];
      };
    }
    return (place) => this.text(place)?.toLowerCase().includes(wanted) ?? false;
  }
}

export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(3);
  return String(Number(value.toPrecision(5)));
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

export function count(n: number): string {
  return n.toLocaleString("en");
}
