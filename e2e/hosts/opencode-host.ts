/** Starts the real OpenCode in a workspace, with the memory engine's plugin and a scripted model on loopback. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ModelServer,
  type RecordedRequest,
  runProcess,
  type StartedProcess,
  say,
  startProcess,
  startTerminal,
  type TerminalProgram,
  testHost,
  type Workspace,
} from "@pi-ts/testkit";
import { fillMemory } from "../support/memory.ts";
import { ROOT } from "../support/pi.ts";

/** The program; null where `test-hosts/` is not installed. */
export const OPENCODE = testHost("opencode-linux-x64/bin/opencode");
/** What `node scripts/build.mjs hosts` makes; null where it was not run. */
export const V1 = builtHost("opencode-v1.js");
export const V2 = builtHost("opencode.js");

/** Why tests on the real program are skipped, for their title; empty when they run. */
export const MISSING =
  OPENCODE === null
    ? " (skipped: needs npm ci --prefix test-hosts)"
    : V1 === null || V2 === null
      ? " (skipped: needs node scripts/build.mjs hosts)"
      : "";

const LOOK_AGAIN_MS = 100;

export interface OpencodeSetup {
  readonly server: ModelServer;
  /** Plugins as they stand in the settings; default: the adapter for the current hooks. */
  readonly plugin?: readonly unknown[];
  /** More settings of OpenCode. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The model's window in tokens. */
  readonly context?: number;
}

/** How the plugin stands in OpenCode's settings. On a busy machine memory takes its time; no test is about how much. */
export function plugin(options: Readonly<Record<string, unknown>> = {}, file: string | null = V1): unknown {
  return [pathToFileURL(file ?? "/not-built").href, { waitMs: 10_000, ...options }];
}

/** Writes the user's settings of OpenCode, and what keeps it from installing anything. */
export function setUpOpencode(ws: Workspace, setup: OpencodeSetup): void {
  const folder = join(ws.home, ".config", "opencode");
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
  ws.write(join(folder, "package-lock.json"), JSON.stringify(lock));
  ws.write(join(folder, "node_modules", ".keep"), "");
  const plugins = setup.plugin ?? [plugin()];
  const { server, context, settings } = setup;
  ws.write(
    join(folder, "opencode.json"),
    JSON.stringify({ ...providerSettings(server, context), plugin: plugins, ...settings }),
  );
}

/** Settings of OpenCode that send everything to the scripted model. `context`: its window in tokens. */
export function providerSettings(server: ModelServer, context = 200_000): object {
  const model = { name: "Test", tool_call: true, limit: { context, output: 8_000 } };
  return {
    autoupdate: false,
    share: "disabled",
    model: "test/test-model",
    small_model: "test/test-model",
    permission: "allow",
    provider: {
      test: {
        npm: "@ai-sdk/openai-compatible",
        name: "Test",
        options: { baseURL: server.baseUrl("openai-chat"), apiKey: "none" },
        models: { "test-model": model },
      },
    },
  };
}

/** The environment of OpenCode in a workspace: no network but loopback, a scratch home. */
export function opencodeEnv(
  ws: Workspace,
  extra: Readonly<Record<string, string | undefined>> = {},
  cwd: string = ws.path,
): Record<string, string> {
  return ws.env({
    // It takes its folder from there.
    PWD: cwd,
    TERM: "dumb",
    XDG_STATE_HOME: join(ws.home, ".local", "state"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_fetch_retries: "0",
    npm_config_registry: "http://127.0.0.1:9/",
    ...extra,
  });
}

export interface OpencodeResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The events that `--format json` printed. */
  readonly events: readonly { readonly type: string; readonly sessionID: string }[];
  readonly sessionId: string;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** More flags of `run`, such as `--session`. */
  readonly flags?: readonly string[];
}

/** `opencode run` with words, to its end. */
export async function run(ws: Workspace, words: string, options: StartOptions = {}): Promise<OpencodeResult> {
  await using started = startRun(ws, words, options);
  const { code, signal } = await started.exited;
  const { stdout, stderr } = started;
  const events = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { code, signal, stdout, stderr, events, sessionId: events[0]?.sessionID ?? "" };
}

/** The same, still running; the caller disposes of it. */
export function startRun(ws: Workspace, words: string, options: StartOptions = {}): StartedProcess {
  const { env, cwd = ws.path, flags = [] } = options;
  return startProcess([OPENCODE!, "run", "--format", "json", ...flags, ...words.split(" ")], {
    cwd,
    env: opencodeEnv(ws, env, cwd),
    input: "null",
  });
}

/** Another command of OpenCode, to its end. */
export async function opencode(ws: Workspace, argv: readonly string[], options: StartOptions = {}) {
  const { env, cwd = ws.path } = options;
  return runProcess([OPENCODE!, ...argv], { cwd, env: opencodeEnv(ws, env, cwd), input: "null" });
}

/** OpenCode in a terminal; the caller disposes of it. */
export function startTui(ws: Workspace, options: StartOptions = {}): TerminalProgram {
  const { env, cwd = ws.path } = options;
  return startTerminal([OPENCODE!], {
    cwd,
    cols: 110,
    rows: 40,
    env: opencodeEnv(ws, { ...env, TERM: "xterm-256color" }, cwd),
  });
}

/** `opencode serve`, asked over HTTP. */
export interface Serving {
  readonly started: StartedProcess;
  post(path: string, body: unknown, cwd?: string): Promise<unknown>;
  /** A new session's id; of another folder than the one it was started in with `cwd`. */
  session(cwd?: string, more?: object): Promise<string>;
  /** Prompts and waits for the end of the turn. */
  prompt(sessionId: string, text: string, cwd?: string): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts `opencode serve`; the caller disposes of it. */
export async function serve(ws: Workspace, options: StartOptions = {}): Promise<Serving> {
  const { env, cwd = ws.path } = options;
  const started = startProcess([OPENCODE!, "serve", "--port", "0"], {
    cwd,
    env: opencodeEnv(ws, env, cwd),
    input: "null",
  });
  const [, base = ""] = await started.waitForOutput(/listening on (http:\/\/\S+)/);
  const post = async (path: string, body: unknown, folder: string = cwd): Promise<unknown> => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-opencode-directory": folder },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    started,
    post,
    session: async (folder, more = {}) => ((await post("/session", more, folder)) as { id: string }).id,
    prompt: (sessionId, text, folder) =>
      post(`/session/${sessionId}/message`, { parts: [{ type: "text", text }] }, folder),
    [Symbol.asyncDispose]: async () => started[Symbol.asyncDispose](),
  };
}

/** What is remembered in a folder, one line each: kind, who (`typed` for a person), text. */
export async function remembered(ws: Workspace, cwd?: string): Promise<string[]> {
  return fillMemory(
    ws,
    async (memory, session) => {
      const { scopes } = await session.context();
      const store = await memory.store("read");
      const lists = await Promise.all(
        scopes.map((scope) => store?.memories.list({ scope, states: ["active", "candidate"] }, 200) ?? []),
      );
      return lists
        .flat()
        .map(({ kind, provenance, text }) => `${kind} ${provenance.typed ? "typed" : "untyped"}: ${text}`);
    },
    cwd,
  );
}

/** The same, once a running host has stored something with these words. */
export async function rememberedWith(ws: Workspace, words: string): Promise<string[]> {
  for (;;) {
    const kept = await remembered(ws);
    if (kept.some((line) => line.includes(words))) return kept;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

/** Requests of the conversation itself: those for titles and summaries have no tools. */
export function conversation(server: ModelServer): RecordedRequest[] {
  return server.requests.filter(({ tools }) => tools.length > 0);
}

/** Answers whatever is asked for a title or a summary. */
export function answerAside(server: ModelServer): void {
  server.when(({ tools }) => tools.length === 0).reply(say("A title"));
}

/** All bytes that OpenCode keeps of a user, its database included, as text. */
export function keptByOpencode(ws: Workspace): string {
  return bytesBelow(join(ws.home, ".local", "share", "opencode"));
}

function bytesBelow(folder: string): string {
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

function builtHost(name: string): string | null {
  const file = join(ROOT, "packages", "remem", "dist", "hosts", name);
  return existsSync(file) ? file : null;
}
