// The state of the page: the rows, the threshold, what is listed, which row is current. Parts listen to what changes.

import { Column } from "./columns";
import type { Header } from "./header";
import { Marks, NEGATIVE, NONE, POSITIVE, UNSURE } from "./marks";
import type { Payload } from "./payload";

export type Topic = "threshold" | "list" | "current" | "marks";
export type Show =
  | "unlabelled" | "flagged" | "unflagged" | "unmarked" | "marked" | "positive" | "negative" | "unsure" | "known" | "all"
  | "audit";
export interface ColumnFilter { column: number; how: "has" | "is" | "least" | "most"; value: string }

export class App {
  readonly header: Header;
  readonly row: Uint32Array;
  readonly score: Float32Array;
  readonly probability: Float32Array;
  readonly known: Uint8Array;
  readonly deepPlace: Int32Array;
  readonly columns: Column[];
  readonly marks: Marks;
  readonly neighbours: Int32Array | null;
  readonly neighbourAngles: Float32Array | null;
  readonly effectColumns: Uint16Array | null;
  readonly effects: Float32Array | null;
  readonly points: Float32Array | null;
  readonly angle: Float32Array | null;
  readonly images: Uint8Array | null;

  /** Which threshold of the curve is chosen. */
  cut: number;
  show: Show = "unlabelled";
  search = "";
  filter: ColumnFilter | null = null;
  selection: Set<number> | null = null;
  sort: { column: number; down: boolean } | null = null;
  /** Places of the listed rows, in their order. */
  listed: ArrayLike<number> = [];
  /** Which of them is current; -1 without any. */
  current = -1;

  private readonly listeners: Record<Topic, (() => void)[]> = { threshold: [], list: [], current: [], marks: [] };

  constructor(payload: Payload) {
    const { header, section } = payload;
    const maybe = (name: string) => (name in header.sections ? section(name) : null);
    this.header = header;
    this.row = section("row") as Uint32Array;
    this.score = section("score") as Float32Array;
    this.probability = section("probability") as Float32Array;
    this.known = section("known") as Uint8Array;
    this.deepPlace = new Int32Array(this.row.length).fill(-1);
    (section("deep") as Uint32Array).forEach((place, i) => { this.deepPlace[place] = i; });
    this.columns = header.columns.map((spec) => new Column(spec, payload, this.deepPlace));
    this.marks = new Marks(header, this.row, section("fingerprint"));
    this.neighbours = maybe("neighbours") as Int32Array | null;
    this.neighbourAngles = maybe("neighbour angles") as Float32Array | null;
    this.effectColumns = maybe("effect columns") as Uint16Array | null;
    this.effects = maybe("effects") as Float32Array | null;
    this.points = maybe("map") as Float32Array | null;
    this.angle = maybe("angle") as Float32Array | null;
    this.images = maybe("images") as Uint8Array | null;
    this.cut = this.nearestCut(header.rules[0].threshold!);
    if (header.audit) this.show = "audit";
  }

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners[topic].push(listener);
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners[topic]) listener();
  }

  get threshold(): number {
    return this.header.curve.threshold[this.cut];
  }

  get place(): number {
    return this.current < 0 ? -1 : this.listed[this.current];
  }

  /** Whoever answers an audit should not be swayed by the scores. */
  get blind(): boolean {
    return this.show === "audit";
  }

  nearestCut(threshold: number): number {
    const { threshold: cuts } = this.header.curve;
    let best = 0;
    cuts.forEach((cut, i) => { if (Math.abs(cut - threshold) < Math.abs(cuts[best] - threshold)) best = i; });
    return best;
  }

  setCut(cut: number): void {
    const last = this.header.curve.threshold.length - 1;
    const next = Math.min(last, Math.max(0, cut));
    if (next === this.cut) return;
    this.cut = next;
    this.emit("threshold");
    if (this.show === "flagged" || this.show === "unflagged") this.list();
  }

  /** List the rows anew; the current row stays current if it is still listed. */
  list(): void {
    const before = this.place;
    this.listed = this.order(this.choose());
    this.current = this.listed.length ? Math.max(0, before < 0 ? 0 : Array.prototype.indexOf.call(this.listed, before)) : -1;
    this.emit("list");
    this.emit("current");
  }

  setCurrent(index: number): void {
    this.current = this.listed.length ? Math.min(this.listed.length - 1, Math.max(0, index)) : -1;
    this.emit("current");
  }

  /** Make a row current, listing all rows if it is not among the listed ones. */
  goTo(place: number): void {
    let at = Array.prototype.indexOf.call(this.listed, place);
    if (at < 0) {
      this.show = "all";
      this.search = "";
      this.filter = null;
      this.selection = null;
      this.list();
      at = Array.prototype.indexOf.call(this.listed, place);
    }
    this.setCurrent(at);
  }

  mark(place: number, mark: number): void {
    if (place >= 0 && this.marks.set(place, mark)) this.emit("marks");
  }

  private choose(): number[] | ArrayLike<number> {
    const tests = this.tests();
    if (this.show === "audit") return this.header.audit!.places.filter((place) => tests.every((test) => test(place)));
    const found: number[] = [];
    for (let place = 0; place < this.row.length; place++) if (tests.every((test) => test(place))) found.push(place);
    return found;
  }

  private tests(): ((place: number) => boolean)[] {
    const { known, marks, score, threshold, selection } = this;
    const tests: ((place: number) => boolean)[] = [];
    const only: Partial<Record<Show, (place: number) => boolean>> = {
      unlabelled: (p) => !known[p],
      flagged: (p) => !known[p] && score[p] > threshold,
      unflagged: (p) => !known[p] && score[p] <= threshold,
      unmarked: (p) => !known[p] && marks.of[p] === NONE,
      marked: (p) => marks.of[p] !== NONE,
      positive: (p) => marks.of[p] === POSITIVE,
      negative: (p) => marks.of[p] === NEGATIVE,
      unsure: (p) => marks.of[p] === UNSURE,
      known: (p) => known[p] === 1,
    };
    if (only[this.show] && !selection) tests.push(only[this.show]!);
    if (selection) tests.push((p) => selection.has(p));
    const wanted = this.search.trim().toLowerCase();
    if (wanted) {
      const matchers = this.columns.filter((column) => column.kind !== "number").map((column) => column.matcher(wanted));
      tests.push((p) => String(this.row[p]) === wanted || matchers.some((matches) => matches(p)));
    }
    if (this.filter && this.filter.value.trim() !== "") tests.push(this.testColumn(this.filter));
    return tests;
  }

  private testColumn({ column, how, value }: ColumnFilter): (place: number) => boolean {
    const chosen = this.columns[column];
    const wanted = value.trim().toLowerCase();
    const number = Number(value);
    if (how === "least") return (p) => chosen.number(p) >= number;
    if (how === "most") return (p) => chosen.number(p) <= number;
    if (how === "has") return chosen.matcher(wanted);
    if (chosen.kind === "number") return (p) => chosen.text(p) === wanted || Math.fround(number) === chosen.number(p);
    return (p) => chosen.text(p)?.toLowerCase() === wanted;
  }

  private order(places: number[] | ArrayLike<number>): ArrayLike<number> {
    if (!this.sort) return places;
    const { column, down } = this.sort;
    const chosen = this.columns[column];
    const sign = down ? -1 : 1;
    const sorted = Array.from(places);
    if (chosen.kind === "number") {
      const value = (place: number) => { const v = chosen.number(place); return Number.isNaN(v) ? Infinity * sign : v; };
      return sorted.sort((a, b) => { const [x, y] = [value(a), value(b)]; return x === y ? a - b : (x < y ? -sign : sign); });
    }
    const text = new Map(sorted.map((place) => [place, chosen.text(place) ?? ""]));
    return sorted.sort((a, b) => sign * text.get(a)!.localeCompare(text.get(b)!) || a - b);
  }
}
