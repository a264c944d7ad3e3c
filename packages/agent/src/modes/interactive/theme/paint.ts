import type { Paint } from "./theme.ts";

/** Text as it is: what a role paints where it has no colour. */
export const plain: Paint = (text) => text;

/** Paints with an SGR attribute. Where `text` closes the same attribute inside, it is opened again behind it, so that paints nest. */
export function sgr(open: string, close: string): Paint {
  const start = `\x1b[${open}m`;
  const end = `\x1b[${close}m`;
  return (text) => {
    if (text === "") return "";
    return `${start}${text.includes(end) ? text.replaceAll(end, end + start) : text}${end}`;
  };
}

export const foreground = (parameters: string): Paint => sgr(parameters, "39");
export const background = (parameters: string): Paint => sgr(parameters, "49");
