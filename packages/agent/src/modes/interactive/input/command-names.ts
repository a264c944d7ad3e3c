/** Finds slash commands by what was typed of their name. */
import { fuzzyMatch } from "@earendil-works/pi-tui";
import type { SlashCommandInfo } from "../../../contract/slash-command.ts";

/** The command with this name or alias, in any case of letters. */
export function commandNamed(
  typed: string,
  commands: readonly SlashCommandInfo[],
): SlashCommandInfo | undefined {
  const wanted = typed.toLowerCase();
  return (
    commands.find((command) => command.name.toLowerCase() === wanted) ??
    commands.find((command) => command.aliases.some((alias) => alias.toLowerCase() === wanted))
  );
}

export interface CommandMatch {
  command: SlashCommandInfo;
  /** The alias that fits, when the name itself fits worse. */
  alias?: string;
}

/** Commands that fit, best first: equal, then by the start of the name, then of an alias, then letters in order. All for "". */
export function matchCommands(typed: string, commands: readonly SlashCommandInfo[]): CommandMatch[] {
  if (typed === "") return commands.map((command) => ({ command }));
  const scored: { match: CommandMatch; score: number }[] = [];
  for (const command of commands) {
    let best: { match: CommandMatch; score: number } | null = null;
    for (const name of [command.name, ...command.aliases]) {
      const score = scoreName(typed, name, name === command.name);
      if (score === null || (best !== null && score >= best.score)) continue;
      best = { match: name === command.name ? { command } : { command, alias: name }, score };
    }
    if (best !== null) scored.push(best);
  }
  return scored.sort((a, b) => a.score - b.score).map(({ match }) => match);
}

function scoreName(typed: string, name: string, own: boolean): number | null {
  const [wanted, text] = [typed.toLowerCase(), name.toLowerCase()];
  const behind = own ? 0 : 1;
  if (text === wanted) return -10_000 + behind;
  if (text.startsWith(wanted)) return -5000 + behind * 1000 + text.length;
  const fuzzy = fuzzyMatch(typed, name);
  return fuzzy.matches ? fuzzy.score + behind : null;
}
