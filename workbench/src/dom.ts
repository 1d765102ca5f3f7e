// Elements made without HTML text, so that nothing in the data is ever taken for markup.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as unknown as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => typeof child === "string" || child instanceof Node));
  return element;
}
