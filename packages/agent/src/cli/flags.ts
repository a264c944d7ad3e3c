import { nearNames } from "../platform/near-names.ts";
import { publicAddress } from "../platform/public-address.ts";
import { FLAGS, type FlagDefinition } from "./flag-table.ts";
import { usageError } from "./usage-error.ts";

/** The command line, checked. */
export interface Flags {
  print: boolean;
  stdin: boolean;
  mode: "interactive" | "print" | "json" | "rpc" | "acp" | null;
  model: string | null;
  role: "smol" | "slow" | "plan" | null;
  planMode: boolean;
  continue: boolean;
  session: string | null;
  noSession: boolean;
  name: string | null;
  system: string | null;
  appendSystem: string | null;
  url: string | null;
  headers: Record<string, string>;
  caCert: string | null;
  insecure: boolean;
  tools: string[] | null;
  excludeTools: string[];
  sandbox: "read-only" | "workspace-write" | "off" | null;
  lsp: "off" | "min" | "full" | null;
  trust: boolean;
  /** Paths of `-e`. */
  extensions: string[];
  /** `name=value` of flags that extensions register. */
  extensionFlags: string[];
  noExtensions: boolean;
  memoryOff: boolean;
  socket: string | null;
  maxTurns: number | null;
  timeoutSeconds: number | null;
  noContextFiles: boolean;
  noSkills: boolean;
  debug: boolean;
  version: boolean;
  help: boolean;
  /** Set by a pi that starts this one as its subagent. */
  subagent: boolean;
  /** Set by a pi that has its extensions compiled; the words are their modules. */
  compileExtensions: boolean;
  /** Everything that is not a flag, in order. */
  words: string[];
  /** True when a `--` came before the first word: the words are a prompt, never a sub-command. */
  promptOnly: boolean;
}

type RawFlags = Map<string, string[]>;

/** Parses the arguments after `pi`. Throws a usage error (exit code 2) that names the value and the way out. */
export function parseFlags(argv: readonly string[]): Flags {
  const raw: RawFlags = new Map();
  const words: string[] = [];
  let promptOnly = false;
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index]!;
    if (argument === "--") {
      if (words.length === 0) promptOnly = true;
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!argument.startsWith("-") || argument === "-") {
      words.push(argument);
      continue;
    }
    if (argument.startsWith("--")) index += readLong(argument, argv[index + 1], raw);
    else index += readShort(argument, argv[index + 1], raw);
  }
  return interpret(raw, words, promptOnly);
}

function definition(name: string): FlagDefinition | undefined {
  return FLAGS.find((flag) => flag.name === name);
}

/** Returns how many further arguments were used (0 or 1). */
function readLong(argument: string, next: string | undefined, raw: RawFlags): number {
  const equals = argument.indexOf("=");
  const name = equals < 0 ? argument.slice(2) : argument.slice(2, equals);
  const inline = equals < 0 ? undefined : argument.slice(equals + 1);
  const flag = definition(name);
  if (!flag) throw unknownFlag(`--${name}`);
  if (flag.value === undefined) {
    if (inline !== undefined) throw usageError(`--${name} takes no value, but got "${inline}"`);
    add(raw, name, "");
    return 0;
  }
  const value = inline ?? next;
  if (value === undefined || (inline === undefined && /^--?[a-z]/i.test(value) && isFlag(value)))
    throw usageError(
      `--${name} needs a value: --${name} <${flag.value}>`,
      `a value that looks like a flag is given as --${name}=VALUE`,
    );
  add(raw, name, value);
  return inline === undefined ? 1 : 0;
}

/** Returns how many further arguments were used: the last letter may take one. */
function readShort(argument: string, next: string | undefined, raw: RawFlags): number {
  const letters = argument.slice(1);
  for (const [index, letter] of [...letters].entries()) {
    const flag: FlagDefinition | undefined = FLAGS.find((entry: FlagDefinition) => entry.short === letter);
    if (!flag) throw unknownFlag(argument);
    if (flag.value !== undefined) {
      const value = index === letters.length - 1 ? next : undefined;
      if (value === undefined || isFlag(value))
        throw usageError(`-${letter} needs a value: -${letter} <${flag.value}>`);
      add(raw, flag.name, value);
      return 1;
    }
    add(raw, flag.name, "");
  }
  return 0;
}

function isFlag(text: string): boolean {
  if (text.startsWith("--")) return definition(text.slice(2).split("=", 1)[0]!) !== undefined;
  return FLAGS.some((entry: FlagDefinition) => text === `-${entry.short}`);
}

function add(raw: RawFlags, name: string, value: string): void {
  const values = raw.get(name);
  if (values) values.push(value);
  else raw.set(name, [value]);
}

function unknownFlag(argument: string) {
  const close = nearNames(
    argument.replace(/^-+/, ""),
    FLAGS.map((flag) => flag.name),
  );
  return usageError(
    `unknown flag ${argument}${close.length > 0 ? `; near names: ${close.map((name) => `--${name}`).join(", ")}` : ""}`,
    'a prompt that begins with a dash goes after --: pi -p -- "-x means what?"',
  );
}

function interpret(raw: RawFlags, words: string[], promptOnly: boolean): Flags {
  const has = (name: string) => raw.has(name);
  const last = (name: string) => raw.get(name)?.at(-1) ?? null;
  if (has("continue") && has("session"))
    throw usageError("--continue and --session exclude each other: both name the session to go on with");
  if (has("no-session") && (has("continue") || has("session")))
    throw usageError("--no-session leaves nothing on disk, so there is nothing to continue with it");
  const roles = (["smol", "slow", "plan"] as const).filter(has);
  if (roles.length > 1)
    throw usageError(`only one role at a time: ${roles.map((role) => `--${role}`).join(", ")} were given`);
  if (has("socket") && last("mode") !== "rpc")
    throw usageError("--socket says where --mode rpc listens, and this is another mode");
  return {
    print: has("print"),
    stdin: has("stdin"),
    mode: readMode(last("mode")),
    model: nonEmpty("model", last("model")),
    role: roles[0] ?? null,
    planMode: has("plan-mode"),
    continue: has("continue"),
    session: nonEmpty("session", last("session")),
    noSession: has("no-session"),
    name: last("name"),
    system: last("system"),
    appendSystem: last("append-system"),
    url: readUrl(last("url")),
    headers: readHeaders(raw.get("header") ?? []),
    caCert: nonEmpty("ca-cert", last("ca-cert")),
    insecure: has("insecure"),
    tools: has("no-tools") ? [] : has("tools") ? list(raw.get("tools")!) : null,
    excludeTools: list(raw.get("exclude-tools") ?? []),
    sandbox: oneOf("sandbox", last("sandbox"), ["read-only", "workspace-write", "off"] as const),
    lsp: oneOf("lsp", last("lsp"), ["off", "min", "full"] as const),
    trust: has("trust"),
    extensions: raw.get("extension") ?? [],
    extensionFlags: raw.get("extension-flag") ?? [],
    noExtensions: has("no-extensions"),
    memoryOff: has("memory-off"),
    socket: nonEmpty("socket", last("socket")),
    maxTurns: readCount("max-turns", last("max-turns")),
    timeoutSeconds: readSeconds("timeout", last("timeout")),
    noContextFiles: has("no-context-files"),
    noSkills: has("no-skills"),
    debug: has("debug"),
    version: has("version"),
    help: has("help"),
    subagent: has("subagent"),
    compileExtensions: has("compile-extensions"),
    words,
    promptOnly,
  };
}

function readMode(value: string | null): Flags["mode"] {
  return oneOf("mode", value, ["interactive", "print", "json", "rpc", "acp"] as const);
}

function oneOf<T extends string>(name: string, value: string | null, allowed: readonly T[]): T | null {
  if (value === null) return null;
  const found = allowed.find((entry) => entry === value);
  if (found === undefined) throw usageError(`--${name} takes ${allowed.join(", ")}, not "${value}"`);
  return found;
}

function nonEmpty(name: string, value: string | null): string | null {
  if (value !== null && value.trim() === "") throw usageError(`--${name} needs a value that is not empty`);
  return value;
}

function readUrl(value: string | null): string | null {
  if (value === null) return null;
  const parsed = URL.parse(value.trim());
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw usageError(`--url takes an http or https address, not "${publicAddress(value)}"`);
  return value.trim();
}

function readHeaders(values: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const value of values) {
    const split = value.search(/[=:]/);
    const name = value.slice(0, Math.max(split, 0)).trim();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      // The value may be a key that only lacks its name.
      throw usageError(
        split < 0
          ? "--header takes name=value, but got no = in it"
          : `--header takes name=value, not "${name}=…"`,
      );
    headers[name] = value.slice(split + 1).trim();
  }
  return headers;
}

function list(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function readCount(name: string, value: string | null): number | null {
  if (value === null) return null;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw usageError(`--${name} takes a whole number from 1, not "${value}"`);
  return Number(value);
}

function readSeconds(name: string, value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  // A JavaScript timer fires at once beyond 2^31 ms.
  if (!(seconds > 0) || seconds > 2_000_000)
    throw usageError(`--${name} takes seconds above 0 and up to 2000000, not "${value}"`);
  return seconds;
}
