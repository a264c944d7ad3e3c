/** Starts the built `pi` in a workspace, as a user's shell would. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type ModelServer,
  runProcess,
  type StartedProcess,
  startProcess,
  type Wire,
  type Workspace,
} from "@pi-ts/testkit";

/** The checkout. */
export const ROOT = join(import.meta.dir, "..", "..");
const BUILT = join(ROOT, "dist", process.platform === "win32" ? "pi.exe" : "pi");

/** The launcher that `npm start` and the package's bin go through. */
export const LAUNCHER = join(ROOT, "packages", "agent", "bin", "pi.mjs");

export const WIRES: readonly Wire[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "ollama"];

/** The key that tests put into the environment: nothing but the right request may hold it. */
export const TEST_KEY = "sk-ant-e2e-0123456789-abcdefghijkl";

interface WireSetup {
  model: string;
  address: string;
  key?: string;
}

const SETUPS: Readonly<Record<Wire, WireSetup>> = {
  anthropic: {
    model: "anthropic/claude-opus-5-5",
    address: "ANTHROPIC_BASE_URL",
    key: "ANTHROPIC_API_KEY",
  },
  "openai-responses": { model: "openai/gpt-5.5", address: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  "openai-chat": {
    model: "openrouter/test-model",
    address: "OPENROUTER_BASE_URL",
    key: "OPENROUTER_API_KEY",
  },
  gemini: { model: "gemini/gemini-3-pro", address: "GEMINI_BASE_URL", key: "GEMINI_API_KEY" },
  ollama: { model: "ollama/test-model", address: "OLLAMA_HOST" },
};

/** The environment that sends a wire's requests to the server, and the `--model` that speaks it. */
export function wireSetup(server: ModelServer, wire: Wire): { env: Record<string, string>; model: string } {
  const { model, address, key } = SETUPS[wire];
  return {
    model,
    env: { [address]: server.baseUrl(wire), ...(key === undefined ? {} : { [key]: TEST_KEY }) },
  };
}

export interface PiOptions {
  /** Its requests go here; default wire: anthropic. */
  server?: ModelServer;
  wire?: Wire;
  env?: Record<string, string | undefined>;
  cwd?: string;
  stdin?: string | Uint8Array;
  input?: "open" | "null" | "closed";
  /** What is started instead of the built executable. */
  entrance?: readonly string[];
}

export interface PiResult {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Runs `pi` to its end. With a server `--model` is given, unless the arguments name one or begin with a sub-command. */
export async function pi(ws: Workspace, argv: readonly string[], options: PiOptions = {}): Promise<PiResult> {
  const { command, rest } = commandFor(ws, argv, options);
  return runProcess(command, rest);
}

/** Starts `pi`; the caller disposes of it. */
export function startPi(ws: Workspace, argv: readonly string[], options: PiOptions = {}): StartedProcess {
  const { command, rest } = commandFor(ws, argv, options);
  return startProcess(command, rest);
}

/** The whole command line and environment of a start, for the helpers that take these themselves. */
export function commandFor(ws: Workspace, argv: readonly string[], options: PiOptions) {
  const {
    server,
    wire = "anthropic",
    env = {},
    entrance = [builtPi()],
    cwd = ws.path,
    stdin,
    input,
  } = options;
  const setup = server === undefined ? undefined : wireSetup(server, wire);
  const named = argv.some((word) => /^--(model|smol|slow|plan)\b/.test(word)) || !argv[0]?.startsWith("-");
  const model = setup === undefined || named ? [] : ["--model", setup.model];
  return {
    command: [...entrance, ...model, ...argv],
    rest: {
      cwd,
      env: ws.env({ ...setup?.env, ...env }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(input === undefined ? {} : { input }),
    },
  };
}

/** What starts `pi` where it need not be the executable: the executable, or (not built) the launcher with the source. */
export function anyPi(): readonly string[] {
  return existsSync(BUILT) ? [BUILT] : ["node", LAUNCHER];
}

/** The built executable; throws when there is none. */
export function builtPi(): string {
  if (existsSync(BUILT)) return BUILT;
  throw new Error(
    `${BUILT} is not there: the end-to-end tests run the built executable. First: npm run build`,
  );
}
