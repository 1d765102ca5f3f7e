// What Python writes into the page; see src/angularpu/explore/page.py.

export type Triple = [number, number, number];

export interface Rule {
  rule: string;
  own: boolean;
  refused?: string;
  threshold?: number;
}

export interface Curve {
  threshold: number[];
  recall: Triple[];
  precision: (Triple | null)[];
  f1: (Triple | null)[];
  flagged: number[];
  bound: boolean;
  audited: boolean;
}

export interface ColumnSpec {
  name: string;
  deep: boolean;
  kind: "number" | "code" | "text";
  values: string;
  ends?: string;
  words?: (string | null)[];
  cut?: number;
}

export interface AuditSheet {
  name: string;
  places: number[];
  header: string[];
  lines: string[][];
  rows: number[];
}

export interface Header {
  version: string;
  schema: number;
  key: string;
  title: string;
  method: string;
  rule: string;
  positive: string;
  n: number;
  known: number;
  unlabelled: number;
  told: boolean;
  held: { pos: number; unl: number; source: string };
  notices: { level: "warning" | "good" | "note"; title: string; text: string }[];
  rules: Rule[];
  curve: Curve;
  bins: { edges: number[]; unlabelled: number[]; positive: number[] };
  columns: ColumnSpec[];
  neighbours: { why_not?: string; how?: string; each?: number; deep?: boolean };
  effects: { why_not?: string; names?: string[]; each?: number; rows?: number };
  map: { why_not?: string; whose?: string };
  images: { height: number; width: number; channels: number } | null;
  audit: AuditSheet | null;
  sections: Record<string, [string, number, number]>;
}

export type Numbers =
  | Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;
