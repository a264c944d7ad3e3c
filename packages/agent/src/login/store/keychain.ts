import { isPiError, PiError } from "../../contract/errors.ts";
import type { ProcessDoor, ProcessResult } from "../../contract/process.ts";

/** The system's store of secrets, through its own program. Secrets go over pipes, never in arguments. */
export interface Keychain {
  read(provider: string): Promise<string | null>;
  write(provider: string, secret: string): Promise<void>;
  remove(provider: string): Promise<void>;
}

/** One run of the system's program. */
interface Step {
  argv: readonly string[];
  stdin?: string;
}

interface KeychainProgram {
  program: string;
  read(provider: string): Step;
  write(provider: string, text: string): Step;
  remove(provider: string): Step;
  /** What it ends with when there is no such entry. */
  missing: number;
}

const SERVICE = "pi-ts";
const PATIENCE_MS = 60_000;

const SECURITY: KeychainProgram = {
  program: "security",
  read: (provider) => ({ argv: ["find-generic-password", "-s", SERVICE, "-a", provider, "-w"] }),
  // Interactive mode reads its commands, and so the secret, from stdin; -X takes it as hexadecimal digits.
  write: (provider, text) => ({
    argv: ["-i"],
    stdin: `add-generic-password -U -s ${SERVICE} -a "${provider}" -X ${Buffer.from(text).toString("hex")}\n`,
  }),
  remove: (provider) => ({ argv: ["delete-generic-password", "-s", SERVICE, "-a", provider] }),
  missing: 44,
};

const SECRET_TOOL: KeychainProgram = {
  program: "secret-tool",
  read: (provider) => ({ argv: ["lookup", "service", SERVICE, "provider", provider] }),
  write: (provider, text) => ({
    argv: ["store", `--label=${SERVICE} ${provider}`, "service", SERVICE, "provider", provider],
    stdin: text,
  }),
  remove: (provider) => ({ argv: ["clear", "service", SERVICE, "provider", provider] }),
  missing: 1,
};

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, KeychainProgram>>> = {
  darwin: SECURITY,
  linux: SECRET_TOOL,
  freebsd: SECRET_TOOL,
};

/** The keychain of this system. Throws a PiError `keychain` where pi knows no program for it. */
export function openKeychain(processes: ProcessDoor, platform: NodeJS.Platform = process.platform): Keychain {
  const program = PROGRAMS[platform];
  if (program === undefined)
    throw failure(`pi knows no program for the keychain of this system (${platform})`);
  const run = async (step: Step, what: string, mayMiss: boolean): Promise<string | null> => {
    const result = await start(processes, program, step);
    const text = new TextDecoder().decode(result.stdout).trim();
    if (result.code === 0) return text === "" && mayMiss ? null : text;
    const said = new TextDecoder().decode(result.stderr).trim().slice(0, 200);
    if (mayMiss && result.code === program.missing && !/dbus|cannot|failed|refused/i.test(said)) return null;
    throw failure(
      result.timedOut
        ? `the keychain did not ${what} within ${PATIENCE_MS / 1000} s: is it locked?`
        : `the keychain refused to ${what} (${program.program}: ${said || `exit code ${result.code}`})`,
    );
  };
  return {
    read: async (provider) => {
      const text = await run(program.read(checked(provider)), "give a token", true);
      return text === null ? null : Buffer.from(text, "base64url").toString("utf8");
    },
    write: async (provider, secret) => {
      const text = Buffer.from(secret).toString("base64url");
      await run(program.write(checked(provider), text), "keep a token", false);
    },
    remove: async (provider) => {
      await run(program.remove(checked(provider)), "forget a token", true);
    },
  };
}

async function start(
  processes: ProcessDoor,
  { program }: KeychainProgram,
  step: Step,
): Promise<ProcessResult> {
  const spec = {
    argv: [program, ...step.argv],
    cwd: "/",
    label: program,
    ...(step.stdin === undefined ? {} : { stdin: new TextEncoder().encode(step.stdin) }),
  };
  try {
    return await processes.run(spec, { timeoutMs: PATIENCE_MS, maxBytes: 1024 * 1024 });
  } catch (thrown) {
    if (isPiError(thrown) && thrown.code === "process_missing")
      throw failure(`the keychain needs the program ${program}, which is not installed`);
    throw thrown;
  }
}

/** It stands in a line that the macOS program parses. */
function checked(provider: string): string {
  if (/^[\w.@-]+$/.test(provider)) return provider;
  throw failure(`a provider named "${provider}" cannot be kept in the keychain`);
}

function failure(message: string): PiError {
  return new PiError({
    code: "keychain",
    message,
    hint: 'Without "store": "keychain" under oauth in your config file, tokens are kept in a private file of pi.',
  });
}
