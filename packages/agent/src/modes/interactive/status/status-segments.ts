import { truncateToWidth } from "@earendil-works/pi-tui";
import type { StatusFacts } from "../../../contract/interactive.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { Theme } from "../theme/theme.ts";
import type { Segment } from "./fit-segments.ts";
import { gauge, percent, shareRole } from "./gauge.ts";
import { shortCount, shortDollars } from "./short-numbers.ts";

/** Facts up to this rank (the mode, commands that are not confined) must be seen whatever else is shown. */
export const NEVER_LEFT_OUT = 1;

const GAUGE_CELLS = 8;
const NAME_WIDTH = 30;
/** From this share on, the day's budget is among the most important facts. */
const PRESSING_SHARE = 0.8;

/** The facts of the status line that are known and worth a place, in their order from left to right. */
export function statusSegments(facts: StatusFacts, theme: Theme): Segment[] {
  const { color } = theme;
  const name = (text: string) => truncateToWidth(safeLine(text), NAME_WIDTH, "…");
  const segments: Segment[] = [];
  const add = (rank: number, ...forms: [string, ...string[]]) => segments.push({ rank, forms });

  if (facts.mode !== undefined) add(0, theme.bold(color.warning(name(facts.mode))));
  const open = openness(facts);
  if (open) add(1, color.warning(open.long), color.warning(open.short));
  add(2, ...modelForms(facts, theme, name));
  if (facts.context) {
    const share = facts.context.window > 0 ? facts.context.tokens / facts.context.window : 0;
    const number = color[shareRole(share)](percent(share));
    const window = color.muted(` of ${shortCount(facts.context.window)}`);
    add(3, `${gauge(share, GAUGE_CELLS, theme)} ${number}${window}`, `${number}${window}`, number);
  }
  const running = runningForms(facts);
  if (running) add(4, color.accent(running.long), color.accent(running.short));
  if (facts.costUsd !== undefined) add(5, color.muted(shortDollars(facts.costUsd)));
  if (facts.day && (facts.day.limit > 0 || facts.day.used > 0)) addDay(facts.day);
  if (facts.session && facts.session.branch !== "main")
    add(
      8,
      color.secondary(`branch ${name(facts.session.branch)}`),
      color.secondary(name(facts.session.branch)),
    );
  if (facts.session && !facts.session.onDisk) add(9, color.warning("not saved"));
  if (facts.mcp && facts.mcp.total > 0) {
    const { ready, failed, total } = facts.mcp;
    const counts = color[failed > 0 ? "error" : "muted"](`mcp ${ready}/${total}`);
    if (failed > 0) add(4.5, `${counts} ${color.error(`${failed} failed`)}`, counts);
    else add(10, counts);
  }
  if (facts.memory) add(facts.memory.state === "failed" ? 4.6 : 11, memoryText(facts.memory));
  const folder = name(facts.cwd.split(/[\\/]/).at(-1) || facts.cwd);
  if (facts.gitBranch === undefined) add(12, color.muted(folder));
  else {
    const branch = name(facts.gitBranch);
    add(7, color.muted(`${folder} (${branch})`), color.muted(`(${branch})`));
  }
  if (facts.session?.title) add(13, color.muted(name(facts.session.title)));
  return segments;

  function addDay(day: { used: number; limit: number }): void {
    if (day.limit <= 0) {
      add(6, color.muted(`today ${shortCount(day.used)}`));
      return;
    }
    const share = day.used / day.limit;
    const paint = color[shareRole(share)];
    const short = paint(`today ${percent(share)}`);
    add(share >= PRESSING_SHARE ? 2.5 : 6, `${short}${color.muted(` of ${shortCount(day.limit)}`)}`, short);
  }

  function memoryText(memory: { state: "ready" | "loading" | "failed"; count: number }): string {
    if (memory.state === "failed") return color.error("memory failed");
    return color.muted(memory.state === "loading" ? "memory …" : `memory ${shortCount(memory.count)}`);
  }
}

function modelForms(facts: StatusFacts, theme: Theme, name: (text: string) => string): [string, ...string[]] {
  const { color } = theme;
  if (!facts.model) return [color.muted("no model yet")];
  const model = color.accent(name(facts.model.name));
  const role = facts.role === "default" ? "" : color.secondary(` ${name(facts.role)}`);
  const thinking: string = facts.model.thinking === "off" ? "" : color.muted(` ${facts.model.thinking}`);
  return [`${model}${role}${thinking}`, `${model}${role}`, model];
}

/** What to say when commands of the model are not confined, or null. */
function openness(facts: StatusFacts): { long: string; short: string } | null {
  const { confinement } = facts;
  if (!confinement || (confinement.active && confinement.tier !== "off")) return null;
  return confinement.tier === "off"
    ? { long: "sandbox off", short: "no sandbox" }
    : { long: "sandbox not available", short: "no sandbox" };
}

function runningForms(facts: StatusFacts): { long: string; short: string } | null {
  const { subagents, backgroundCommands } = facts;
  if (subagents + backgroundCommands === 0) return null;
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const parts = [
    ...(subagents > 0 ? [plural(subagents, "subagent")] : []),
    ...(backgroundCommands > 0 ? [`${plural(backgroundCommands, "command")} in background`] : []),
  ];
  return { long: parts.join(", "), short: `${subagents + backgroundCommands} running` };
}
