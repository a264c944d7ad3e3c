/** Starts the real Pi in a workspace, with memory as its extension and the scripted model as its provider. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ModelServer,
  runProcess,
  type StartedProcess,
  startProcess,
  testHost,
  testNode,
  type Workspace,
} from "@pi-ts/testkit";
import { ROOT } from "../support/pi.ts";
import { listed, rememData, type ShownMemory } from "../support/remem.ts";

const MOST_TRIES = 20;

const CLI = testHost("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const NODE = testNode();

/** The package that Pi loads, and its built extension. */
export const PACKAGE = join(ROOT, "packages", "remem");
export const EXTENSION = join(PACKAGE, "dist", "hosts", "pi.js");

/** Why these tests are skipped; empty when they run. Belongs into their titles. */
export const MISSING =
  CLI === null || NODE === null
    ? " (needs Pi: npm ci --prefix test-hosts, npm ci --prefix test-programs)"
    : existsSync(EXTENSION)
      ? ""
      : " (needs the built extension: npm run build hosts)";

/** What Pi runs on. */
export interface PiRuntime {
  readonly name: string;
  readonly argv: readonly string[];
}

export const ON_NODE: PiRuntime = { name: "Node 24", argv: [NODE ?? "", CLI ?? ""] };
export const RUNTIMES: readonly PiRuntime[] = [
  ON_NODE,
  { name: "Bun", argv: [process.execPath, "--no-env-file", CLI ?? ""] },
];

export interface PiHostOptions {
  readonly runtime?: PiRuntime;
  /** Extensions in the order in which Pi loads them; default: memory alone. */
  readonly extensions?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** The window of the model, in tokens; default 200,000. */
  readonly contextWindow?: number;
}

/** Pi's own folder in a workspace. */
export function agentFolder(ws: Workspace): string {
  return join(ws.home, ".pi", "agent");
}

/** The command line and environment of Pi, with its model written down. */
export function piHost(
  ws: Workspace,
  server: ModelServer,
  words: readonly string[],
  options: PiHostOptions = {},
) {
  const {
    runtime = ON_NODE,
    extensions = [EXTENSION],
    env = {},
    cwd = ws.path,
    contextWindow = 200_000,
  } = options;
  const folder = agentFolder(ws);
  mkdirSync(folder, { recursive: true });
  const model = { id: "scripted", reasoning: false, input: ["text"], contextWindow, maxTokens: 4_096 };
  const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const provider = { baseUrl: server.baseUrl("openai-chat"), api: "openai-completions", apiKey: "test-key" };
  writeFileSync(
    join(folder, "models.json"),
    JSON.stringify({
      providers: { scripted: { ...provider, models: [{ ...model, name: "Scripted", cost }] } },
    }),
  );
  return {
    argv: [
      ...runtime.argv,
      ...["--provider", "scripted", "--model", "scripted"],
      ...extensions.flatMap((path) => ["-e", path]),
      ...words,
    ],
    cwd,
    env: ws.env({ PI_OFFLINE: "1", PI_TELEMETRY: "0", ...env }),
  };
}

/** Runs Pi to its end, one prompt each. */
export async function runPi(
  ws: Workspace,
  server: ModelServer,
  words: readonly string[],
  options: PiHostOptions = {},
) {
  const { argv, cwd, env } = piHost(ws, server, words, options);
  const { code, stdout, stderr } = await runProcess(argv, {
    cwd,
    env,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
  });
  return { code, stdout, stderr };
}

interface RpcRecord {
  readonly type: string;
  readonly id?: string;
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly [key: string]: unknown;
}

/** Pi in its RPC mode. */
export class PiRpc implements AsyncDisposable {
  readonly #process: StartedProcess;
  #commands = 0;
  #read = 0;

  constructor(process: StartedProcess) {
    this.#process = process;
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  /** Everything it has said so far. */
  get records(): RpcRecord[] {
    return this.#process.stdout
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as RpcRecord);
  }

  /** Sends a command and gives the data of its answer; throws when it failed. */
  async command(type: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = `c${++this.#commands}`;
    this.#process.write(`${JSON.stringify({ id, type, ...fields })}\n`);
    await this.#process.waitForOutput(new RegExp(`"id":"${id}"[^\\n]*\\n`));
    const answer = this.records.find((record) => record.type === "response" && record.id === id);
    if (answer?.success !== true) throw new Error(`${type}: ${JSON.stringify(answer)}`);
    return answer.data;
  }

  /** Sends a prompt and waits until the agent has nothing more to do. */
  async prompt(message: string): Promise<void> {
    const settled = this.#settled();
    await this.command("prompt", { message });
    await this.#process.waitForOutput(new RegExp(`(?:"type":"agent_settled"[\\s\\S]*?){${settled + 1}}`));
  }

  /** Closes its input, as a client that is done does, and waits for its end. */
  async end(): Promise<number | null> {
    this.#process.closeStdin();
    return (await this.#process.exited).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  #settled(): number {
    this.#read = this.records.filter(({ type }) => type === "agent_settled").length;
    return this.#read;
  }
}

/** Starts Pi in its RPC mode. Dispose of it with `await using`. */
export function startPiRpc(
  ws: Workspace,
  server: ModelServer,
  words: readonly string[] = [],
  options: PiHostOptions = {},
): PiRpc {
  const { argv, cwd, env } = piHost(ws, server, ["--mode", "rpc", ...words], options);
  return new PiRpc(startProcess(argv, { cwd, env, input: "open" }));
}

/** All session files of Pi, as text. */
export function sessionTexts(ws: Workspace): string[] {
  const folder = join(agentFolder(ws), "sessions");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

/** What is remembered, once all that Pi has left to the next program is stored: a busy machine may need more than one. */
export async function kept(ws: Workspace, ...argv: readonly string[]): Promise<readonly ShownMemory[]> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { outbox_files: waiting } = await rememData<{ outbox_files: number }>(ws, ["status"]);
    if (waiting === 0) break;
  }
  return listed(ws, ...argv);
}

/** Writes the user's settings of the memory engine. */
export function memorySettings(ws: Workspace, settings: Readonly<Record<string, unknown>>): void {
  const folder = join(ws.home, ".config", "remem");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(settings));
}
