import type { MarkdownTheme } from "@earendil-works/pi-tui";
import type { DrawContext } from "../document/block.ts";
import { expandTabs } from "../document/row.ts";
import { paintRuns } from "../document/runs.ts";

/** Code within a list or a quote is coloured up to so many characters. */
const MAX_INNER_CODE = 10_000;

/** The paints of pi-tui's Markdown, by the theme's roles. */
export function markdownTheme({ theme, highlighter }: DrawContext): MarkdownTheme {
  const { color } = theme;
  return {
    heading: color.heading,
    link: color.link,
    linkUrl: color.muted,
    code: color.code,
    codeBlock: color.code,
    codeBlockBorder: color.muted,
    quote: color.quote,
    quoteBorder: color.border,
    hr: color.border,
    listBullet: (marker) => color.accent(marker.replace(/^[-*+]/, "•")),
    bold: theme.bold,
    italic: theme.italic,
    strikethrough: theme.strikethrough,
    underline: theme.underline,
    highlightCode: (code, language) => {
      const lines = code.split("\n").map(expandTabs).join("\n");
      const known = code.length <= MAX_INNER_CODE ? language : undefined;
      return highlighter.runs(lines, known, theme).map(paintRuns);
    },
  };
}
