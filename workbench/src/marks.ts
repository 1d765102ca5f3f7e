// What people said of rows: kept in the browser where it allows that, and written as CSV.

import type { Header } from "./header";
import { writeCsv } from "./csv";

export const NONE = 0, POSITIVE = 1, NEGATIVE = 2, UNSURE = 3;
export const WORDS = ["", "positive", "negative", "unsure"];
export const SIGNS = ["", "+", "−", "?"];
const AUDIT_WORDS = ["", "yes", "no", "unsure"];
const MEANINGS: Record<string, number> = {
  yes: POSITIVE, y: POSITIVE, "1": POSITIVE, true: POSITIVE,
  no: NEGATIVE, n: NEGATIVE, "0": NEGATIVE, false: NEGATIVE,
  unsure: UNSURE, "?": UNSURE,
};

export class Marks {
  readonly of: Uint8Array;
  readonly kept: boolean;
  private readonly key: string;
  private readonly past: [number, number][] = [];

  constructor(private readonly header: Header, private readonly row: ArrayLike<number>,
              private readonly fingerprint: ArrayLike<number>) {
    this.of = new Uint8Array(row.length);
    this.key = `angularpu-reviews-${header.key}`;
    this.kept = this.restore();
  }

  /** Mark a row, and return whether that changed anything. */
  set(place: number, mark: number): boolean {
    if (this.of[place] === mark) return false;
    this.past.push([place, this.of[place]]);
    this.of[place] = mark;
    this.store();
    return true;
  }

  /** Take the last mark back; return its row. */
  undo(): number | null {
    const last = this.past.pop();
    if (!last) return null;
    this.of[last[0]] = last[1];
    this.store();
    return last[0];
  }

  count(mark: number): number {
    let n = 0;
    for (const each of this.of) if (each === mark) n++;
    return n;
  }

  get total(): number {
    return this.of.length - this.count(NONE);
  }

  /** The reviews: one line for each marked row, in the order of the file. */
  reviews(): string {
    const lines: (string | number)[][] = [];
    this.of.forEach((mark, place) => {
      if (mark) lines.push([this.row[place], this.hex(place), WORDS[mark], this.header.schema]);
    });
    lines.sort((a, b) => (a[0] as number) - (b[0] as number));
    return writeCsv([["row", "fingerprint", "answer", "schema"], ...lines]);
  }

  /** The audit's own sheet with its column answer filled in. */
  answers(): string {
    const { header, lines, rows, places } = this.header.audit!;
    const names = header.map((name) => name.trim().toLowerCase());
    const [row, answer] = [names.indexOf("row"), names.indexOf("answer")];
    const place = new Map(rows.map((number, i) => [number, places[i]]));
    const filled = lines.map((line) => {
      const at = place.get(Number(line[row].replace(/^'/, "").replace(",", ".")));
      return at === undefined ? line : line.map((text, i) => (i === answer ? AUDIT_WORDS[this.of[at]] : text));
    });
    return writeCsv([header, ...filled]);
  }

  private hex(place: number): string {
    const part = (i: number) => this.fingerprint[2 * place + i].toString(16).padStart(8, "0");
    return `r${part(1)}${part(0)}`;
  }

  private restore(): boolean {
    this.readSheet();
    try {
      const kept = localStorage.getItem(this.key);
      if (kept) {
        this.of.fill(NONE);
        for (const [place, mark] of JSON.parse(kept) as [number, number][]) {
          if (place < this.of.length && mark <= UNSURE) this.of[place] = mark;
        }
      }
      localStorage.setItem(this.key, kept ?? "[]");
      return true;
    } catch {
      return false;
    }
  }

  private readSheet(): void {
    const sheet = this.header.audit;
    if (!sheet) return;
    const names = sheet.header.map((name) => name.trim().toLowerCase());
    const [row, answer] = [names.indexOf("row"), names.indexOf("answer")];
    const place = new Map(sheet.rows.map((number, i) => [number, sheet.places[i]]));
    for (const line of sheet.lines) {
      const at = place.get(Number(line[row]));
      if (at !== undefined) this.of[at] = MEANINGS[line[answer].trim().toLowerCase()] ?? NONE;
    }
  }

  private store(): void {
    if (!this.kept) return;
    const marked: [number, number][] = [];
    this.of.forEach((mark, place) => { if (mark) marked.push([place, mark]); });
    try {
      localStorage.setItem(this.key, JSON.stringify(marked));
    } catch {
      // Full: the marks stay in this tab, and the export has them all.
    }
  }
}
