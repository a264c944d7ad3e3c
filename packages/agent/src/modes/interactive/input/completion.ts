/** What is offered while a prompt is typed: slash commands, their arguments, and files of the project. */
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { ArgumentCompletion, SlashCommandInfo } from "../../../contract/slash-command.ts";
import { visibleLine } from "../../shared/visible-text.ts";
import { commandNamed, matchCommands } from "./command-names.ts";
import { canBeWritten, mentionBefore, type PathToken, wordBefore, writePath } from "./path-tokens.ts";
import { untilAborted } from "./until-aborted.ts";

export interface CompletionPorts {
  commands(): readonly SlashCommandInfo[];
  completeArgument(
    name: string,
    argument: string,
    signal: AbortSignal,
  ): Promise<readonly ArgumentCompletion[]>;
  /** Best first; folders end with `/`. */
  findFiles(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
}

const MOST_FILES = 50;

/** What the text before the cursor is asking for. */
type Asked =
  | { kind: "command"; start: number; typed: string }
  | { kind: "argument"; start: number; command: SlashCommandInfo; argument: string }
  | { kind: "path"; token: PathToken }
  | null;

export class PromptCompletion implements AutocompleteProvider {
  readonly #ports: CompletionPorts;

  constructor(ports: CompletionPorts) {
    this.#ports = ports;
  }

  /** Never rejects: what cannot be found is not offered. */
  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    options: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const asked = this.#asked(lines, cursorLine, before, options.force === true);
    if (asked === null) return null;
    const prefix = before.slice(startOf(asked));
    try {
      const items = await this.#items(asked, options.signal);
      return items.length > 0 ? { items, prefix } : null;
    } catch {
      // a search that failed offers nothing; typing goes on
      return null;
    }
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const before = line.slice(0, cursorCol);
    const asked = this.#asked(lines, cursorLine, before, !prefix.startsWith("@"));
    if (asked === null) return { lines, cursorLine, cursorCol };
    // The closing quote that stands there comes with the completion.
    const quoted = asked.kind === "path" && asked.token.quoted;
    const after = quoted ? line.slice(cursorCol).replace(/^["']/, "") : line.slice(cursorCol);
    const { start, text, cursor } = this.#insertion(asked, item.value, after);
    const changed = [...lines];
    changed[cursorLine] = line.slice(0, start) + text + after;
    return { lines: changed, cursorLine, cursorCol: start + cursor };
  }

  /** What the text before the cursor would be completed from now. A menu with another prefix is out of date. */
  prefixAt(lines: readonly string[], cursorLine: number, cursorCol: number, force: boolean): string | null {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const asked = this.#asked(lines, cursorLine, before, force);
    return asked && before.slice(startOf(asked));
  }

  /** Whether something is to be offered at once after a completion: the inside of a folder, the argument of a command. */
  continues(lines: readonly string[], cursorLine: number, cursorCol: number): boolean {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const asked = this.#asked(lines, cursorLine, before, true);
    if (asked?.kind === "argument") return asked.argument === "";
    return asked?.kind === "path" && before.endsWith("/");
  }

  #insertion(
    asked: NonNullable<Asked>,
    value: string,
    after: string,
  ): { start: number; text: string; cursor: number } {
    switch (asked.kind) {
      case "command": {
        const takesArgument = commandNamed(value, this.#ports.commands())?.argumentHint !== "";
        const text = takesArgument && !/^\s/.test(after) ? `/${value} ` : `/${value}`;
        return { start: asked.start, text, cursor: text.length };
      }
      case "argument":
        return { start: asked.start, text: value, cursor: value.length };
      case "path": {
        const { text, cursor } = writePath(value, asked.token);
        const space = value.endsWith("/") || /^[\s"']/.test(after) ? "" : " ";
        return { start: asked.token.start, text: text + space, cursor: cursor + space.length };
      }
    }
  }

  #asked(lines: readonly string[], cursorLine: number, before: string, force: boolean): Asked {
    const first = (lines[0] ?? "").trimStart();
    if (first.startsWith("!"))
      return force ? { kind: "path", token: wordBefore(shellPart(before, cursorLine), "shell") } : null;
    if (cursorLine === 0) {
      const name = /^\s*(\/(\S*))$/.exec(before);
      // `/usr/bin` is a path.
      if (name && !name[2]!.includes("/"))
        return { kind: "command", start: before.length - name[1]!.length, typed: name[2]! };
      const called = /^\s*\/(\S+)[ \t]+(.*)$/.exec(before);
      const command = called ? commandNamed(called[1]!, this.#ports.commands()) : undefined;
      if (called && command?.completes)
        return { kind: "argument", start: before.length - called[2]!.length, command, argument: called[2]! };
    }
    const token = mentionBefore(before) ?? (force ? wordBefore(before, "path") : null);
    return token && { kind: "path", token };
  }

  async #items(asked: NonNullable<Asked>, signal: AbortSignal): Promise<AutocompleteItem[]> {
    switch (asked.kind) {
      case "command":
        return matchCommands(asked.typed, this.#ports.commands()).map(({ command, alias }) => ({
          value: command.name,
          label: alias === undefined ? command.name : `${command.name} (${alias})`,
          description: command.argumentHint ? `${command.argumentHint}  ${command.summary}` : command.summary,
        }));
      case "argument": {
        const found = await untilAborted(
          this.#ports.completeArgument(asked.command.name, asked.argument, signal),
          signal,
        );
        return (found ?? []).map((completion) => ({
          value: completion.value,
          label: visibleLine(completion.label),
          ...(completion.description !== undefined && { description: visibleLine(completion.description) }),
        }));
      }
      case "path": {
        const { query, style, lead } = asked.token;
        const found = await untilAborted(this.#ports.findFiles(query, MOST_FILES, signal), signal);
        return (found ?? [])
          .filter((path) => canBeWritten(path, style))
          .map((path) => ({ value: path, label: lead + path }));
      }
    }
  }
}

function startOf(asked: NonNullable<Asked>): number {
  return asked.kind === "path" ? asked.token.start : asked.start;
}

/** Blanks the marks of a shell line, so that positions stay and `!cat` is the word `cat`. */
function shellPart(before: string, cursorLine: number): string {
  return cursorLine === 0 ? before.replace(/^\s*!!?/, (marks) => " ".repeat(marks.length)) : before;
}
