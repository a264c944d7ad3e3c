import { errorMessage, isPiError, PiError, systemCode } from "../contract/errors.ts";
import { runJsonMode } from "../modes/json/json-mode.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { fileFailure } from "../platform/file-failure.ts";
import { tookForeignFault } from "../platform/foreign-faults.ts";
import { OutputStream } from "../platform/output-stream.ts";
import { isTerminal } from "../platform/terminal.ts";
import { withoutAgentWords } from "./editor-login.ts";
import { type Flags, parseFlags } from "./flags.ts";
import { Interruptions } from "./interruption.ts";
import { Notices } from "./notices.ts";
import { currentPlace, type Place } from "./place.ts";
import { readPipedInput } from "./read-stdin.ts";
import { failureEvents, runPrompt } from "./run-prompt.ts";
import { commandFlags, commandList, findCommand } from "./sub-commands.ts";
import { usageError } from "./usage-error.ts";
import { VERSION, versionDetails } from "./version.ts";

const interruptions = new Interruptions((code) => process.exit(code));
const out = new OutputStream(1, (error) => {
  // A reader that went away (`| head`) is told nothing; an answer that could not be written must not look like one.
  if (systemCode(error) !== "EPIPE") outFailure = error;
  interruptions.stop("stdout_closed");
});
const err = new OutputStream(2, () => undefined);
let outUsed = false;
let outFailure: Error | null = null;
const streams: Streams = {
  out: (text) => {
    outUsed = true;
    return out.write(text);
  },
  err: (text) => err.write(text),
  outIsTerminal: false,
};

async function main(): Promise<number> {
  const argv = withoutAgentWords(process.argv.slice(2));
  const command = await findCommand(argv);
  const flags = command === null ? parseFlags(argv) : commandFlags(command);
  if (flags.version) {
    await streams.out(flags.debug ? versionDetails() : `${VERSION}\n`);
    return 0;
  }
  const place = currentPlace();
  if (flags.help) {
    const { commandHelp, helpText } = await import("./help.ts");
    await streams.out(command === null ? helpText(await commandList()) : commandHelp(command.command));
    return 0;
  }
  streams.outIsTerminal = await isTerminal(1);
  interruptions.listen();
  if (command !== null) {
    const { runCommand } = await import("./run-command.ts");
    return runCommand(command, flags, place, streams, interruptions);
  }
  return answer(flags, place);
}

async function answer(flags: Flags, place: Place): Promise<number> {
  if (flags.timeoutSeconds !== null) interruptions.limit(flags.timeoutSeconds);
  if (flags.compileExtensions) {
    const { runCompile } = await import("./extensions/run-compile.ts");
    return await runCompile(flags.words, place, interruptions.signal);
  }
  const notices = new Notices();
  if (flags.subagent) {
    const { runSubagent } = await import("./run-subagent.ts");
    return await runSubagent({ place, streams, interruptions, notices });
  }
  if (flags.mode === "acp") return serveEditor(flags, place);
  if (flags.mode === "rpc") {
    const { runRpc } = await import("./run-rpc.ts");
    return await runRpc({ flags, place, streams, interruptions });
  }
  const mode = await chooseMode(flags);
  try {
    if (mode === "interactive") {
      const { runInteractive } = await import("./interactive/run-interactive.ts");
      const prompt = flags.words.join(" ");
      return await runInteractive({ prompt, flags, place, streams, interruptions, notices });
    }
    const prompt = await readPrompt(flags, notices);
    return await runPrompt({
      prompt,
      flags,
      mode,
      place,
      streams,
      interruptions,
      notices,
    });
  } catch (error) {
    for (const { level, message } of notices.take()) await streams.err(`${level}: ${visibleText(message)}\n`);
    throw error;
  }
}

async function serveEditor(flags: Flags, place: Place): Promise<number> {
  const { runAcp } = await import("./run-acp.ts");
  return runAcp({ flags, place, streams, interruptions, notices: new Notices() });
}

/** Interactive on a terminal, unless the flags say otherwise; with input or output elsewhere, print. */
async function chooseMode(flags: Flags): Promise<"interactive" | "print" | "json"> {
  if (flags.mode === "print" || flags.mode === "json") return flags.mode;
  if (flags.print && flags.mode === null) return "print";
  if (flags.print) throw usageError("--mode interactive and -p exclude each other: -p answers once and ends");
  const terminal = streams.outIsTerminal && (await isTerminal(0));
  const dumb = isDumb();
  if (terminal && !dumb && !flags.stdin) return "interactive";
  if (flags.mode === "interactive")
    throw usageError(
      dumb
        ? "--mode interactive needs a terminal that can move its cursor, and TERM is dumb"
        : "--mode interactive needs a terminal as stdin and stdout",
      'for one answer: pi -p "…"',
    );
  return "print";
}

function isDumb(): boolean {
  return process.env["TERM"] === "dumb";
}

async function readPrompt(flags: Flags, notices: Notices): Promise<string> {
  const words = flags.words.join(" ");
  const piped = await readPipedInput(flags.stdin, interruptions.signal);
  if (interruptions.signal.aborted) throw stoppedBefore(exitCode("aborted", "", interruptions.cause));
  if (piped.silent)
    notices.warn("nothing came on stdin within 3 s, so it was left out; --stdin waits for it");
  if (piped.replaced) notices.warn("stdin was not valid UTF-8; what could not be read was replaced");
  const prompt = [words, piped.text ?? ""].filter((text) => text.trim() !== "").join("\n\n");
  if (prompt !== "") return prompt;
  const noScreen = isDumb() && !flags.print && streams.outIsTerminal;
  const why = noScreen ? ", and TERM is dumb, a terminal that the terminal program cannot draw on" : "";
  throw usageError(`there is no prompt${why}`, 'give one: pi -p "what does this project do?", or pipe it in');
}

function stoppedBefore(exitCode: number): PiError {
  return new PiError({ code: "aborted", message: "stopped while waiting for input on stdin", exitCode });
}

/** In JSON mode a failure before the run is told as events, also one of the command line itself. */
async function tellAsEvents(error: unknown): Promise<void> {
  async function* events() {
    yield* failureEvents(error, folderName());
  }
  await runJsonMode(events(), "", streams);
}

function folderName(): string {
  try {
    return process.cwd();
  } catch {
    // it was deleted: that may be the very failure
    return "";
  }
}

function asksForEvents(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some(
    (word, index) => word === "--mode=json" || (word === "--mode" && words[index + 1] === "json"),
  );
}

async function describeFailure(error: unknown): Promise<number> {
  if (!outUsed && asksForEvents(process.argv.slice(2))) await tellAsEvents(error);
  if (!isPiError(error)) {
    const detail = process.argv.includes("--debug") && error instanceof Error ? `\n${error.stack}` : "";
    await streams.err(`error: ${visibleText(errorMessage(error))} (this is a bug in pi)${detail}\n`);
    return 1;
  }
  await streams.err(`error: ${visibleText(error.message)}\n`);
  if (error.hint !== undefined) await streams.err(`  ${visibleText(error.hint)}\n`);
  return error.exitCode;
}

/** A fault of ours in nobody's hands: it is told without showing the reader our code, and the run ends in order. */
function tellFault(fault: unknown): void {
  if (tookForeignFault(fault)) return;
  const detail = process.argv.includes("--debug") && fault instanceof Error ? `\n${fault.stack}` : "";
  void streams.err(`error: ${visibleText(errorMessage(fault))} (this is a bug in pi)${detail}\n`);
  interruptions.stop("fault");
}
process.on("uncaughtException", tellFault);
process.on("unhandledRejection", tellFault);

const code = main().catch(describeFailure);
code
  .then(async (value) => {
    interruptions.release();
    await out.flush();
    if (outFailure !== null)
      await streams.err(`error: ${fileFailure("write to", "stdout", outFailure).message}\n`);
    await err.flush();
    const { cause } = interruptions;
    if (outFailure !== null) process.exit(1);
    process.exit(
      value === 0 && (cause === "stdout_closed" || cause === "fault")
        ? exitCode("aborted", "", cause)
        : value,
    );
  })
  .catch(() => process.exit(1));
