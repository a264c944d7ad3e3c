import { checkPlan } from "./check-plan.ts";
import type { SpecProblem } from "./markdown-sections.ts";
import { type ParsedPlan, parsePlan, tickSlices } from "./parse-plan.ts";
import { type ParsedPrompt, parsePrompt } from "./parse-prompt.ts";
import type { Phase } from "./phases.ts";
import type { SpecFiles } from "./spec-files.ts";

/** The file that questions and answers are written to. */
export const REQUIREMENTS = "requirements.md";
/** Characters of a question or an answer that are kept; all of it is in the session. */
const MOST_TEXT = 8_000;

/** One spec of the project: its artifacts below `specs/NAME/`. */
export class Spec {
  readonly name: string;
  readonly #files: SpecFiles;

  constructor(name: string, files: SpecFiles) {
    this.name = name;
    this.#files = files;
  }

  /** `specs/NAME`, as people read it. */
  get folder(): string {
    return this.#files.path(this.name);
  }

  /** All that a phase has left behind, as one text. */
  written(phase: Phase): string {
    const { artifact } = phase;
    const files = artifact.endsWith("/")
      ? this.#files.list(this.name, artifact).map((file) => artifact + file)
      : [artifact];
    return files.map((file) => this.read(file) ?? "").join("\n");
  }

  /** Whether a phase has left what it is to leave behind. */
  has(phase: Phase): boolean {
    const text = this.written(phase);
    // The head alone is of the skeleton.
    return phase.name === "requirements" ? /^## /m.test(text) : text.trim() !== "";
  }

  /** What keeps a phase from being approved. */
  problems(phase: Phase): SpecProblem[] {
    if (!this.has(phase)) return [{ message: `${this.folder}/${phase.artifact} is not written yet` }];
    if (phase.name === "plan") return checkPlan(this.plan());
    if (phase.name === "prompt") return [...this.prompt().problems, ...noGates(this.prompt())];
    return [];
  }

  /** Appends a question and its answer to `requirements.md`. Throws a PiError when the disk refuses. */
  record(question: string, answer: string): void {
    const text = this.read(REQUIREMENTS) ?? `# Requirements: ${this.name}\n`;
    const number = [...text.matchAll(/^## Question \d+/gm)].length + 1;
    const entry = `\n## Question ${number}\n\n${kept(question)}\n\n**Answer:** ${kept(answer)}\n`;
    this.write(REQUIREMENTS, `${text.trimEnd()}\n${entry}`);
  }

  plan(): ParsedPlan {
    return parsePlan(this.read("plan.md") ?? "");
  }

  prompt(): ParsedPrompt {
    return parsePrompt(this.read("PROMPT.md") ?? "");
  }

  /** Ticks slices in `plan.md`. */
  tick(done: ReadonlySet<number>): void {
    const text = this.read("plan.md");
    if (text === null) return;
    const ticked = tickSlices(text, done);
    if (ticked !== text) this.write("plan.md", ticked);
  }

  read(file: string): string | null {
    return this.#files.read(this.name, file);
  }

  write(file: string, text: string): void {
    this.#files.write(this.name, file, text);
  }
}

/** A problem of an artifact with its place, for people. */
export function problemText(artifact: string, { line, message }: SpecProblem): string {
  return line === undefined ? message : `${artifact}:${line}: ${message}`;
}

function noGates({ gates }: ParsedPrompt): SpecProblem[] {
  return gates.length > 0
    ? []
    : [{ message: "PROMPT.md has no gates: - **name**: `command` lines below ## Gates" }];
}

function kept(text: string): string {
  const trimmed = text.trim();
  const short = trimmed.length > MOST_TEXT ? `${trimmed.slice(0, MOST_TEXT).toWellFormed()} […]` : trimmed;
  // A heading of its own would end the entry for whoever reads it by headings.
  return short.replaceAll(/^(#{1,6} )/gm, "\\$1");
}
