// CSV that Python and spreadsheets read: RFC 4180.

export function writeCsv(lines: (string | number)[][]): string {
  return lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
