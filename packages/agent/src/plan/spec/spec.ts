import { PiError } from "../../contract/errors.ts";
import { checkPlan } from "./check-plan.ts";
import type { SpecProblem } from "./markdown-sections.ts";
import { type ParsedPlan, parsePlan, tickSlices } from "./parse-plan.ts";
import { type ParsedPrompt, parsePrompt } from "./parse-prompt.ts";
import { PHASES, type Phase, phaseOf } from "./phases.ts";
import type { SpecFiles } from "./spec-files.ts";

/** Phases that a person has approved: a small file of ours beside the artifacts, which no tool of the model may write in plan mode. */
export const APPROVALS = ".approved.json";
const REQUIREMENTS = "requirements.md";
/** Characters of a question or an answer that are kept; all of it is in the session. */
const MOST_TEXT = 8_000;

/** One spec of the project: its artifacts below `specs/NAME/`, and how far it is. */
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

  /** Writes the skeleton: the idea as it was said, and the head of the requirements. What is there already stays. */
  begin(idea: string): void {
    this.#unlessThere("rough-idea.md", `# Rough idea\n\n${idea.trim()}\n`);
    this.#unlessThere(
      REQUIREMENTS,
      `# Requirements: ${this.name}\n\nQuestions and answers, in the order in which they were given.\n`,
    );
    this.#approve(1);
  }

  /** The phase that waits for its work or its approval; null when all are approved. */
  get phase(): Phase | null {
    return PHASES[this.#approved()] ?? null;
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

  /** What keeps the current phase from being approved. */
  problems(phase: Phase): SpecProblem[] {
    if (!this.has(phase)) return [{ message: `${this.folder}/${phase.artifact} is not written yet` }];
    if (phase.name === "plan") return checkPlan(this.plan());
    if (phase.name === "prompt") return [...this.prompt().problems, ...noGates(this.prompt())];
    return [];
  }

  /** Approves the current phase; gives the next one, or null after the last. Throws PiError `spec_not_ready` with what is missing. */
  approve(): Phase | null {
    const { phase } = this;
    if (phase === null) return null;
    const problems = this.problems(phase);
    if (problems.length > 0)
      throw new PiError({
        code: "spec_not_ready",
        message: `phase ${phase.number} (${phase.title}) cannot be approved yet: ${problems.map((problem) => problemText(phase.artifact, problem)).join("; ")}`,
        hint: "Say what is to change, or let it be finished.",
      });
    this.#approve(phase.number);
    return this.phase;
  }

  /** Goes back to the phase before; its artifact stays. Null at the first that a person can work on. */
  back(): Phase | null {
    const approved = this.#approved();
    if (approved <= 1) return null;
    this.#approve(approved - 1);
    return phaseOf(approved);
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

  /**
   * How many phases are approved. Without a record of ours the artifacts tell: all before the last one that is there are, since each
   * was made from the one before.
   */
  #approved(): number {
    const recorded = Number(/"approved":\s*(\d+)/.exec(this.read(APPROVALS) ?? "")?.[1] ?? Number.NaN);
    if (Number.isInteger(recorded)) return Math.min(recorded, PHASES.length);
    const last = PHASES.findLast((phase) => this.has(phase));
    return Math.max(1, (last?.number ?? 1) - 1);
  }

  #approve(number: number): void {
    this.write(APPROVALS, `${JSON.stringify({ approved: number })}\n`);
  }

  #unlessThere(file: string, text: string): void {
    if (this.read(file) === null) this.write(file, text);
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
