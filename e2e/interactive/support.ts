/** Opens `pi` on an emulated terminal, as a person would, and reads what its screen shows. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ModelServer,
  startTerminal,
  type TerminalOptions,
  type TerminalProgram,
  type Workspace,
} from "@pi-ts/testkit";
import { anyPi, commandFor, type PiOptions } from "../support/pi.ts";
import { stateFolder } from "../support/state.ts";

/** A release that a test gives when the screen shows what it waited for. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export interface OpenOptions
  extends Omit<TerminalOptions, "cwd" | "env">,
    Pick<PiOptions, "cwd" | "env" | "wire"> {
  args?: readonly string[];
  /** What is waited for; default: the model and the context's size stand in the status line. `frame`: the first frame. */
  until?: "ready" | "frame";
}

/** Whether the status line tells of a model whose context is counted. */
export function isReady(program: TerminalProgram): boolean {
  return /\d%/.test(program.screen().at(-1) ?? "");
}

/**
 * Opens `pi` without a sandbox around commands, which not every machine has. With a server the model's requests go
 * there; without one there is no key. Dispose of it with `await using`.
 */
export async function openPi(
  ws: Workspace,
  server: ModelServer | undefined,
  options: OpenOptions = {},
): Promise<TerminalProgram> {
  const { args = [], wire, env, cwd, until = "ready", ...terminal } = options;
  const { command, rest } = commandFor(ws, ["--sandbox", "off", ...args], {
    entrance: anyPi(),
    ...(server === undefined ? {} : { server }),
    ...(wire === undefined ? {} : { wire }),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const program = startTerminal(command, { ...terminal, cwd: rest.cwd, env: rest.env });
  await program.waitFor(until === "frame" ? (shown) => shown.counts.frames > 0 : isReady);
  return program;
}

/** Types a line and sends it. */
export function send(program: TerminalProgram, line: string): void {
  program.type(line);
  program.press("enter");
}

/** Sends a prompt and waits until its answer (a text that no earlier answer holds) is over. */
export async function talk(program: TerminalProgram, prompt: string, answer: string): Promise<void> {
  send(program, prompt);
  await program.waitFor(answer);
  await idle(program);
}

/** The row above the editor while something runs; the start panel has the same hint without the spinner. */
const WORKING = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏•] .*Esc interrupts/;

/** Waits until nothing is running any more. */
export function idle(program: TerminalProgram): Promise<number> {
  return program.waitFor((shown) => !shown.screen().some((row) => WORKING.test(row)));
}

/** Above and below the editor; with a word for what is typed there (`shell`). A dialog begins with one line and a blank. */
const RULE = /^──(?: \w+ )?─+$/;

/** The text in the editor, its lines joined by line feeds. */
export function draftOf(program: TerminalProgram): string {
  const rows = program.screen();
  const rules = rows.flatMap((row, at) => (RULE.test(row) ? [at] : []));
  const [from, to] = rules.slice(-2);
  return from === undefined || to === undefined ? "" : rows.slice(from + 1, to).join("\n");
}

/** Waits until the editor holds exactly this. */
export function draftIs(program: TerminalProgram, text: string): Promise<number> {
  return program.waitFor((shown) => draftOf(shown) === text);
}

/** How often a text stands on the screen. */
export function timesShown(program: TerminalProgram, text: string): number {
  return program.screen().join("\n").split(text).length - 1;
}

/** Ends the program as a person would, from an empty prompt when nothing runs, and gives its exit code. */
export async function leave(program: TerminalProgram): Promise<number> {
  // Ctrl+D means nothing in the middle of an answer.
  await idle(program);
  program.press("ctrl+d");
  return (await program.exited).code;
}

/** The user's configuration file, or null. */
export function userConfig(ws: Workspace): Record<string, unknown> | null {
  const file = join(stateFolder(ws), "config.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : null;
}

/** A gate for `hold(...)`: a scripted answer stands still there until the test opens it. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

/** Repeats a key until a choice is marked: the question drops keys at first. */
export async function marked(
  program: TerminalProgram,
  key: "pageDown" | "up" | "down",
  choice: string,
): Promise<void> {
  const again = setInterval(() => program.press(key), 50);
  try {
    await program.waitFor(`› ${choice}`);
  } finally {
    clearInterval(again);
  }
}

/** Waits until the live list of subagents has given the editor its place back: a key right behind Esc would be taken for Alt and that key. */
export async function viewIsClosed(program: TerminalProgram): Promise<void> {
  await program.waitFor((shown) => !shown.screen().some((row) => /Esc (leaves|back)/.test(row)));
}
