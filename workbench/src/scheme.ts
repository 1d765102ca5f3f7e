// The colours of what is drawn, which follow the light or the dark scheme of the system.

const dark = matchMedia("(prefers-color-scheme: dark)");
const NAMES = { text: "--text", muted: "--muted", line: "--line", accent: "--accent", accentSoft: "--accent-soft", soft: "--soft", tint: "--tint", panel: "--panel", low: "--low" };
type Colours = Record<keyof typeof NAMES, string>;
let found: Colours | null = null;

export function colours(): Colours {
  if (!found) {
    const style = getComputedStyle(document.documentElement);
    found = Object.fromEntries(Object.entries(NAMES).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()])) as Colours;
  }
  return found;
}

export function onScheme(listener: () => void): void {
  dark.addEventListener("change", () => {
    found = null;
    listener();
  });
}
