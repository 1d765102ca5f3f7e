// Reads the JSON and the compressed arrays that stand in the page.

import type { Header, Numbers } from "./header";

const TYPES = {
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i1: Int8Array, i2: Int16Array, i4: Int32Array,
  f4: Float32Array, f8: Float64Array,
} as const;

export interface Payload {
  header: Header;
  section(name: string): Numbers;
}

export async function readPayload(): Promise<Payload> {
  const header = JSON.parse(take("page-header")) as Header;
  const packed = decode(take("page-sections"));
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  return {
    header,
    section(name) {
      const [type, offset, length] = header.sections[name];
      return new TYPES[type as keyof typeof TYPES](buffer, offset, length);
    },
  };
}

// The text is taken out of the document, which need not keep megabytes that are never shown.
function take(id: string): string {
  const element = document.getElementById(id)!;
  const text = element.textContent ?? "";
  element.remove();
  return text;
}

function decode(text: string): Uint8Array {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (direct) return direct.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
