import type { AgentProblem, AgentType } from "../contract/subagents.ts";

/** A file's front matter and what follows it. */
export interface FrontMatter {
  values: ReadonlyMap<string, { value: string | readonly string[] | null; line: number }>;
  body: string;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const LEAST_TIMEOUT_MS = 1_000;
const MOST_TIMEOUT_MS = 24 * 3_600_000;
const DEFAULT_TURNS = 100;

/** Names that files for other agents use, by ours. */
const OTHER_NAMES: Readonly<Record<string, string>> = { glob: "find", multiedit: "edit", task: "agent" };
/** Models of other agents' files that stand for "as the run". */
const ANY_MODEL = /^(inherit|default|sonnet|opus|haiku)$/i;
const KEYS: readonly string[] = [
  "name",
  "description",
  "role",
  "model",
  "tools",
  "worktree",
  "timeout",
  "max_turns",
  "read_only",
  // of other agents' files, without a meaning here
  "color",
];

/**
 * A Markdown file with front matter as an agent type; `stem` is its name without the ending. What is wrong and does not matter is told
 * among `problems`; without a `type` it is no agent.
 */
export function parseAgent(
  front: FrontMatter | null,
  { file, stem }: { file: string; stem: string },
): { type: AgentType | null; problems: AgentProblem[] } {
  const problems: AgentProblem[] = [];
  const report = (message: string, line?: number) =>
    problems.push({ file, ...(line === undefined ? {} : { line }), message });
  if (front === null) {
    report("it does not begin with front matter (--- name, description … ---)", 1);
    return { type: null, problems };
  }
  const { values, body } = front;
  for (const [key, { line }] of values)
    if (!KEYS.includes(key)) report(`"${key}" means nothing here and is left out`, line);
  const reader = new Values(values, report);
  const name = reader.text("name") ?? stem;
  if (!NAME.test(name)) {
    report(
      `"${name}" is no name: letters, digits, - and _, beginning with a letter`,
      values.get("name")?.line,
    );
    return { type: null, problems };
  }
  if (body.trim() === "") {
    report("it has no text after the front matter: that is what the agent is told");
    return { type: null, problems };
  }
  const model = reader.text("model");
  return {
    type: {
      name,
      description: reader.text("description")?.replaceAll(/\s+/g, " ") ?? "",
      role: reader.text("role"),
      model: model === null || ANY_MODEL.test(model) ? null : model,
      tools: reader.tools(),
      worktree: reader.flag("worktree", false),
      readOnly: reader.flag("read_only", true),
      timeoutMs: reader.timeout(),
      maxTurns: reader.count("max_turns", DEFAULT_TURNS),
      instruction: body.trim(),
      file,
    },
    problems,
  };
}

class Values {
  readonly #values: FrontMatter["values"];
  readonly #report: (message: string, line?: number) => void;

  constructor(values: FrontMatter["values"], report: (message: string, line?: number) => void) {
    this.#values = values;
    this.#report = report;
  }

  text(key: string): string | null {
    const entry = this.#values.get(key);
    if (entry === undefined || entry.value === null) return null;
    const text = typeof entry.value === "string" ? entry.value : entry.value.join(", ");
    return text.trim() === "" ? null : text.trim();
  }

  /** `careful`: what a word counts as that is neither. */
  flag(key: string, careful: boolean): boolean {
    const word = this.text(key)?.toLowerCase();
    if (word === undefined || word === "false" || word === "no") return false;
    if (word === "true" || word === "yes") return true;
    this.#report(`${key} is "${word}", not true or false; it counts as ${careful}`, this.#line(key));
    return careful;
  }

  count(key: string, otherwise: number): number {
    const word = this.text(key);
    if (word === null) return otherwise;
    if (/^[1-9]\d{0,5}$/.test(word)) return Number(word);
    this.#report(`${key} is "${word}", not a whole number from 1; ${otherwise} is used`, this.#line(key));
    return otherwise;
  }

  /** A number is milliseconds; `90s`, `10m` and `1h` are taken, too. */
  timeout(): number {
    const word = this.text("timeout");
    if (word === null) return DEFAULT_TIMEOUT_MS;
    const [, digits = "", unit = "ms"] = /^(\d{1,9})\s*(ms|s|m|min|h)?$/.exec(word) ?? [];
    const ms = Number(digits) * ({ ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 }[unit] ?? 1);
    if (digits !== "" && ms >= LEAST_TIMEOUT_MS && ms <= MOST_TIMEOUT_MS) return ms;
    this.#report(
      `timeout is "${word}": it takes milliseconds from ${LEAST_TIMEOUT_MS}, or 90s, 10m, 1h; 30m is used`,
      this.#line("timeout"),
    );
    return DEFAULT_TIMEOUT_MS;
  }

  /** Null when the file names none: then all of the caller's. */
  tools(): string[] | null {
    const entry = this.#values.get("tools");
    if (entry === undefined || entry.value === null) return null;
    const words = typeof entry.value === "string" ? entry.value.split(",") : entry.value;
    for (const word of words)
      if (/\(.*\)$/.test(word.trim()))
        this.#report(
          `tools has ${word.trim()}: what stands in parentheses limits nothing here; a rule in "permissions" does`,
          this.#line("tools"),
        );
    const names = words.map((word) => word.trim().replace(/\(.*\)$/, "")).filter((word) => word !== "");
    if (names.length === 1 && names[0] === "*") return null;
    return [...new Set(names.map(ownName))];
  }

  #line(key: string): number | undefined {
    return this.#values.get(key)?.line;
  }
}

/** Names of MCP tools stay as they are. */
function ownName(name: string): string {
  if (name.includes("__")) return name;
  const lower = name.toLowerCase();
  return OTHER_NAMES[lower] ?? lower;
}
