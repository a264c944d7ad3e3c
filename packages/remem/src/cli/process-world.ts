import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { isatty } from "node:tty";
import { CliError } from "./cli-error.ts";
import type { CliOutput, CliWorld } from "./cli-world.ts";
import { LineInput } from "./line-input.ts";
import { runOnTerminal } from "./run-on-terminal.ts";
import { VERSION } from "./version.ts";

/** A reader that went away ends the program without a word, with the code that a shell gives for it. */
const READER_GONE = 141;

/** This process as a world. Throws a CliError when it has no current folder or no home. */
export function processWorld(signal: AbortSignal): CliWorld {
  return {
    program: "remem",
    version: VERSION,
    cwd: currentFolder(),
    home: homeFolder(),
    environment: process.env,
    clock: { now: () => Date.now() },
    signal,
    input: new LineInput(() => process.stdin, isatty(0), signal),
    output: processOutput(),
    runOnTerminal,
  };
}

function processOutput(): CliOutput {
  const isTerminal = isatty(1);
  const { NO_COLOR: noColor, TERM: term } = process.env;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(READER_GONE);
    });
  const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
    text === ""
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          stream.write(text, (error) => {
            if ((error as NodeJS.ErrnoException | null | undefined)?.code === "EPIPE")
              process.exit(READER_GONE);
            if (error) reject(notWritten(error));
            else resolve();
          });
        });
  return {
    isTerminal,
    columns: isTerminal ? (process.stdout.columns ?? 80) : 0,
    styled: isTerminal && (noColor === undefined || noColor === "") && term !== "dumb",
    out: (text) => write(process.stdout, text),
    // A closed stderr must not end what stdout is there for.
    err: (text) => write(process.stderr, text).catch(() => undefined),
  };
}

function notWritten(error: NodeJS.ErrnoException): CliError {
  return new CliError(
    "output_failed",
    `the output cannot be written (${error.code ?? error.message})`,
    "free space where it goes, or send it elsewhere",
  );
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new CliError("no_folder", "the current folder is not there any more", "change into another folder");
  }
}

/** The home folder; without the variable, that of the system's list of users. */
function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir])
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // no such user in the system's list
    }
  throw new CliError(
    "no_home",
    process.env["HOME"] === undefined
      ? "there is no home folder: HOME is not set"
      : `HOME is ${JSON.stringify(process.env["HOME"])}, which is no absolute path`,
    "set HOME to an absolute path",
  );
}
