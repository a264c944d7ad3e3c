import type { CommandBlock } from "../../../contract/command.ts";
import type { ContextCategory, ContextPart, ContextReport } from "./context-report.ts";
import { bar, count, dollars, oneLine, percent } from "./format.ts";
import { table, text } from "./outcome.ts";

const BAR_CELLS = 20;
/** Named parts shown below a category; the rest is one line. */
const MOST_NAMED = 6;

/** What lists call each category, in the order of a request; with the noun of what it counts. */
const CATEGORIES: readonly (readonly [ContextCategory, title: string, noun: string])[] = [
  ["system", "system prompt", ""],
  ["tools", "tool definitions", "tools"],
  ["instructions", "instruction files", "files"],
  ["memory", "memory", ""],
  ["summary", "summary of what was said", ""],
  ["user", "your messages", "messages"],
  ["images", "images", "images"],
  ["reminders", "reminders", "messages"],
  ["assistant", "answers", "messages"],
  ["thinking", "thinking", ""],
  ["calls", "tool calls", "calls"],
  ["results", "tool results", "results"],
];

/** The whole of `/context` as blocks. */
export function contextBlocks(report: ContextReport): CommandBlock[] {
  const used = report.parts.reduce((sum, part) => sum + part.tokens, 0);
  const { window } = report;
  const reserve = Math.min(report.reserve, window);
  const free = Math.max(0, window - used - reserve);
  const of = window > 0 ? ` of ${count(window)} (${percent(used / window)})` : "";
  return [
    text(
      `${report.model ?? "No model is chosen yet"}: the next request takes about ${count(used)} tokens${of}.${used + reserve > window && window > 0 ? " It may not fit: /compact makes room." : ""}`,
    ),
    table(
      ["", "tokens", "share", ""],
      [
        ...CATEGORIES.flatMap(([category, title, noun]) =>
          categoryRows(
            report.parts.filter((part) => part.category === category),
            title,
            noun,
            window,
          ),
        ),
        row("kept for the answer", reserve, window),
        row("free", free, window),
      ],
    ),
    table([], countedRows(report)),
  ];
}

function categoryRows(
  parts: readonly ContextPart[],
  title: string,
  noun: string,
  window: number,
): string[][] {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  if (tokens === 0) return [];
  const pieces = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  const label = noun !== "" && pieces > 0 ? `${title} (${count(pieces)})` : title;
  return [row(label, tokens, window), ...namedRows(parts, window)];
}

/** The biggest named parts; nothing when there is only one without a name. */
function namedRows(parts: readonly ContextPart[], window: number): string[][] {
  const sums = new Map<string, number>();
  for (const { name, tokens } of parts)
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + tokens);
  const named = [...sums].sort((a, b) => b[1] - a[1]);
  // one left over is as well shown by its name
  const shown = named.length === MOST_NAMED + 1 ? named.length : MOST_NAMED;
  const rest = named.slice(shown);
  return [
    ...named.slice(0, shown).map(([name, tokens]) => small(oneLine(name, 60), tokens, window)),
    ...(rest.length === 0
      ? []
      : [
          small(
            `${rest.length} more`,
            rest.reduce((sum, [, tokens]) => sum + tokens, 0),
            window,
          ),
        ]),
  ];
}

function row(title: string, tokens: number, window: number): string[] {
  const share = window > 0 ? tokens / window : 0;
  return [title, count(tokens), window > 0 ? percent(share) : "", window > 0 ? bar(share, BAR_CELLS) : ""];
}

function small(title: string, tokens: number, window: number): string[] {
  return [`  ${title}`, count(tokens), window > 0 ? percent(tokens / window) : "", ""];
}

/** What services really counted, what it cost, and the day. */
function countedRows({ last, session, spent = [], saved = 0, day }: ContextReport): string[][] {
  return [
    ["last request", last === undefined ? "none yet" : requestText(last)],
    ...(session.requests === 0
      ? []
      : [["this session", `${count(session.requests)} requests: ${requestText(session)}`]]),
    ...spent.map(({ by, tokens, costUsd }) => [
      `  ${by}`,
      `${count(tokens)} tokens${costUsd === undefined ? "" : `, ${dollars(costUsd)}`}`,
    ]),
    ...(saved > 0 ? [["saved by compaction", `${count(saved)} tokens`]] : []),
    ["today", day.summary],
    ...(day.limit > 0
      ? [["", `${bar(day.used / day.limit, BAR_CELLS)} ${percent(day.used / day.limit)}`]]
      : []),
  ];
}

function requestText(sum: { input: number; cacheRead: number; cacheWrite: number; output: number }): string {
  const sent = sum.input + sum.cacheRead + sum.cacheWrite;
  const hit = sent > 0 ? ` (${percent(sum.cacheRead / sent)} from the cache)` : "";
  return `${count(sent)} tokens in${hit}, ${count(sum.output)} out, as the service counted`;
}
