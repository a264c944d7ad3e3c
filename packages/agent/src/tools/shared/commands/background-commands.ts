import { PiError } from "../../../contract/errors.ts";
import { OVER } from "../../../contract/over.ts";
import type { OwnedProcess, ProcessExit } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import type { SpillDoor } from "../../../contract/tool.ts";
import { commandOutput, type RenderedOutput } from "./command-output.ts";
import { spilledOutput } from "./spilled-output.ts";

/** More than this many background commands at once are refused; none is ever ended to make room. */
const MAX_RUNNING = 8;
/** Ended commands whose last output may still be asked for. */
const MAX_ENDED = 32;

/** A command that goes on after its tool call. */
export interface BackgroundCommand {
  /** `bg1`, `bg2`, … */
  readonly id: string;
  readonly command: string;
  /** Undefined while it runs. */
  readonly exit: ProcessExit | undefined;
  /** Since its start, or how long it ran; milliseconds. */
  elapsedMs(): number;
  /** Output since the last call, after waiting up to `waitMs` for some (or for the end, or an abort). */
  readNew(waitMs: number, signal: AbortSignal): Promise<RenderedOutput>;
  /** Ends the whole tree; resolves when it is gone. */
  end(): Promise<void>;
}

/** The background commands of a session. They end with the process registry that owns them. */
export interface BackgroundCommands {
  /** Throws PiError `too_many_commands` (with the list) when no more may run. Ask before starting the process. */
  checkRoom(): void;
  add(command: string, child: OwnedProcess, spill: SpillDoor): BackgroundCommand;
  get(id: string): BackgroundCommand | undefined;
  list(): readonly BackgroundCommand[];
}

/** An empty store, made once a session and handed to the three tools. */
export function createBackgroundCommands(options: { clock: Clock }): BackgroundCommands {
  const { clock } = options;
  const commands = new Map<string, BackgroundCommand>();
  let started = 0;

  function dropOldest(): void {
    const ended = [...commands.values()].filter((each) => each.exit !== undefined);
    for (const each of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) commands.delete(each.id);
  }

  return {
    checkRoom() {
      const running = [...commands.values()].filter((each) => each.exit === undefined);
      if (running.length < MAX_RUNNING) return;
      throw new PiError({
        code: "too_many_commands",
        message: `${running.length} background commands are running, more are not allowed:\n${running.map(describe).join("\n")}`,
        hint: "End one with bash-kill first.",
      });
    },
    add(command, child, spill) {
      dropOldest();
      const id = `bg${++started}`;
      const added = follow(id, command, child, spill, clock);
      commands.set(id, added);
      return added;
    },
    get: (id) => commands.get(id),
    list: () => [...commands.values()],
  };
}

/** One line: id, state, command. */
export function describe(command: BackgroundCommand): string {
  const firstLine = command.command.split("\n", 1)[0] ?? "";
  const short = firstLine.length > 100 ? `${firstLine.slice(0, 100).toWellFormed()}…` : firstLine;
  return `${command.id} (${stateOf(command)}): ${short}`;
}

/** "running, 12 s" or "exit 0 after 3 s". */
export function stateOf(command: BackgroundCommand): string {
  const seconds = Math.round(command.elapsedMs() / 1000);
  const exit = command.exit;
  if (exit === undefined) return `running, ${seconds} s`;
  return `${exit.code === null ? `ended by ${exit.signal ?? "a signal"}` : `exit ${exit.code}`} after ${seconds} s`;
}

function follow(
  id: string,
  command: string,
  child: OwnedProcess,
  spill: SpillDoor,
  clock: Clock,
): BackgroundCommand {
  const spilled = spilledOutput(spill, `bash-${id}`);
  const output = commandOutput(child, { spilled });
  const startedAt = clock.now();
  let exit: ProcessExit | undefined;
  let endedAt = 0;
  const exited = child.exited.then((result) => {
    exit = result;
    endedAt = clock.now();
  });

  async function waitForNews(waitMs: number, signal: AbortSignal): Promise<void> {
    if (waitMs <= 0 || !output.empty || exit !== undefined) return;
    const enough = new AbortController();
    const news = new Promise<void>((resolve) => {
      // A colour or half a character is no news.
      const look = () => (output.empty ? output.onNext(look) : resolve());
      look();
    });
    await Promise.race([news, exited, clock.sleep(waitMs, AbortSignal.any([signal, enough.signal]))]);
    enough.abort(OVER);
  }

  return {
    id,
    command,
    get exit() {
      return exit;
    },
    elapsedMs: () => (exit === undefined ? clock.now() : endedAt) - startedAt,
    async readNew(waitMs, signal) {
      await waitForNews(waitMs, signal);
      // The last words of a program arrive with its end; a child of it may hold the pipe open for ever.
      if (exit !== undefined) await output.settled(clock);
      const rendered = output.render();
      output.restart();
      return rendered;
    },
    async end() {
      await child.end();
      await exited;
      await output.ended;
    },
  };
}
