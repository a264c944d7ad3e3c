/** The three programs that share a user's memory, by one shape: a person states something in one, and another is asked about it. */
import {
  type ModelServer,
  type RecordedRequest,
  startTerminal,
  type TerminalProgram,
  type Workspace,
} from "@pi-ts/testkit";
import { leave, openPi, send, talk } from "../interactive/support.ts";
import { pi } from "../support/pi.ts";
import {
  conversation,
  MISSING as NO_OPENCODE,
  plugin,
  run,
  setUpOpencode,
  startTui,
} from "./opencode-host.ts";
import { memorySettings, MISSING as NO_PI, piHost, runPi } from "./pi-host.ts";

/** Where a test's programs run. */
export interface Place {
  readonly ws: Workspace;
  readonly server: ModelServer;
}

/** One program with memory in it. What is typed by a person it knows in its own way. */
export interface PairsHost {
  /** As memories name it in their provenance. */
  readonly host: string;
  readonly title: string;
  /** Why it cannot be tested here, for the title; empty when it can. */
  readonly missing: string;
  /** A person types this at a terminal and leaves when `answer` was given. */
  typedInTerminal(place: Place, words: string, answer: string): Promise<void>;
  /** A person types this on the command line, in this folder (default: the project). Rejects when the program fails. */
  onCommandLine(place: Place, words: string, cwd?: string): Promise<void>;
}

const WINDOW = { cols: 120, rows: 40 };

const OURS: PairsHost = {
  host: "pi-ts",
  title: "our agent",
  missing: "",
  async typedInTerminal({ ws, server }, words, answer) {
    await using program = await openPi(ws, server);
    await talk(program, words, answer);
    expectCode("pi", await leave(program));
  },
  async onCommandLine({ ws, server }, words, cwd = ws.path) {
    const { code, stderr } = await pi(ws, ["--sandbox", "off", "-p", words], { server, cwd });
    expectCode("pi", code, stderr);
  },
};

const PI: PairsHost = {
  host: "pi",
  title: "Pi",
  missing: NO_PI,
  async typedInTerminal({ ws, server }, words, answer) {
    const { argv, cwd, env } = piHost(ws, server, []);
    await using program = startTerminal(argv, { cwd, env, ...WINDOW });
    // It takes prompts before it shows this; what is sent earlier it refuses.
    await program.waitFor("[Extensions]");
    send(program, words);
    await program.waitFor(answer);
    expectCode("Pi", await endWith(program, "ctrl+d"));
  },
  async onCommandLine({ ws, server }, words, cwd = ws.path) {
    const { code, stderr } = await runPi(ws, server, ["-p", words], { cwd });
    expectCode("Pi", code, stderr);
  },
};

const OPENCODE: PairsHost = {
  host: "opencode",
  title: "OpenCode",
  missing: NO_OPENCODE,
  async typedInTerminal({ ws }, words, answer) {
    await using program = startTui(ws);
    await program.waitFor(/Ask anything/);
    program.type(words);
    await program.waitFor(words.slice(0, 20));
    program.press("enter");
    // The line under an answer stands there once the turn is over.
    await program.waitFor(new RegExp(`${RegExp.escape(answer)}[\\s\\S]*▣ +Build · Test · \\d`));
    expectCode("OpenCode", await endWith(program, "ctrl+c"));
  },
  async onCommandLine({ ws }, words, cwd = ws.path) {
    const { code, stderr } = await run(ws, words, { cwd });
    expectCode("OpenCode", code, stderr);
  },
};

/** All ordered pairs of different programs, and how a person states something in the first. */
export const PAIRS: readonly {
  readonly learns: PairsHost;
  readonly recalls: PairsHost;
  readonly stated: "in its terminal" | "on its command line";
}[] = [
  { learns: OURS, recalls: PI, stated: "in its terminal" },
  { learns: OURS, recalls: OPENCODE, stated: "on its command line" },
  { learns: PI, recalls: OURS, stated: "in its terminal" },
  { learns: PI, recalls: OPENCODE, stated: "on its command line" },
  { learns: OPENCODE, recalls: OURS, stated: "in its terminal" },
  { learns: OPENCODE, recalls: PI, stated: "on its command line" },
];

/** Switches capture on for all of them, and says that a person types what `opencode run` is given. */
export function setUpHosts({ ws, server }: Place): void {
  memorySettings(ws, { capture: { enabled: true } });
  if (NO_OPENCODE === "") setUpOpencode(ws, { server, plugin: [plugin({ typed: ["run"] })] });
}

/** Asks a program on its command line, and gives the first request of it that the model got. */
export async function firstRequest(
  program: PairsHost,
  place: Place,
  words: string,
  cwd?: string,
): Promise<RecordedRequest> {
  const before = conversation(place.server).length;
  await program.onCommandLine(place, words, cwd);
  const request = conversation(place.server)[before];
  if (request === undefined) throw new Error(`${program.title} asked no model`);
  return request;
}

/** A memory as it stands framed before the model. */
export interface FramedMemory {
  readonly by: string;
  readonly typed: string;
  readonly date: string;
  readonly text: string;
}

/** The memories that a request frames as recalled. */
export function framedMemories({ userTexts }: RecordedRequest): FramedMemory[] {
  const frames = userTexts.flatMap(
    (text) => text.match(/<recalled-memory trust="untrusted">[\s\S]*?<\/recalled-memory>/g) ?? [],
  );
  return frames
    .flatMap((frame) => [...frame.matchAll(/<memory ([^>]*)>\n([\s\S]*?)\n<\/memory>/g)])
    .map(([, marks = "", text = ""]) => {
      const mark = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(marks)?.[1] ?? "";
      return { by: mark("by"), typed: mark("typed"), date: mark("date"), text };
    });
}

async function endWith(program: TerminalProgram, chord: string): Promise<number | null> {
  program.press(chord);
  return (await program.exited).code;
}

function expectCode(title: string, code: number | null, stderr = ""): void {
  if (code !== 0) throw new Error(`${title} ended with exit code ${code}: ${stderr}`);
}
