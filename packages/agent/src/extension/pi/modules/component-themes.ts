/** What pi-tui's components are coloured with, over the theme that is drawn now. */
import type { MarkdownTheme, SelectListTheme, SettingsListTheme } from "@earendil-works/pi-tui";
import { piTheme } from "./module-host.ts";

const colored = (role: string) => (text: string) => piTheme().fg(role, text);

export function getMarkdownTheme(): MarkdownTheme {
  return {
    heading: colored("mdHeading"),
    link: colored("mdLink"),
    linkUrl: colored("mdLinkUrl"),
    code: colored("mdCode"),
    codeBlock: colored("mdCodeBlock"),
    codeBlockBorder: colored("mdCodeBlockBorder"),
    quote: colored("mdQuote"),
    quoteBorder: colored("mdQuoteBorder"),
    hr: colored("mdHr"),
    listBullet: colored("mdListBullet"),
    bold: (text) => piTheme().bold(text),
    italic: (text) => piTheme().italic(text),
    strikethrough: (text) => piTheme().strikethrough(text),
    underline: (text) => piTheme().underline(text),
    highlightCode,
  };
}

export function getSelectListTheme(): SelectListTheme {
  return {
    selectedPrefix: colored("accent"),
    selectedText: colored("accent"),
    description: colored("muted"),
    scrollInfo: colored("muted"),
    noMatch: colored("muted"),
  };
}

export function getSettingsListTheme(): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? piTheme().fg("accent", text) : text),
    value: (text, selected) => piTheme().fg(selected ? "accent" : "muted", text),
    description: colored("dim"),
    cursor: piTheme().fg("accent", "→ "),
    hint: colored("dim"),
  };
}

/** The lines of code in one colour: grammars are loaded by the transcript only. */
export function highlightCode(code: string): string[] {
  return code.split("\n").map(colored("mdCodeBlock"));
}
