import { PiError } from "../../contract/errors.ts";
import type { Approvals } from "./approvals.ts";
import { PHASES, type Phase, phaseOf } from "./phases.ts";
import { problemText, REQUIREMENTS, Spec } from "./spec.ts";
import type { SpecFiles } from "./spec-files.ts";

/** A spec that is being planned: its artifacts, and how far a person has approved it. */
export class PlannedSpec extends Spec {
  readonly #approvals: Approvals;

  constructor(name: string, files: SpecFiles, approvals: Approvals) {
    super(name, files);
    this.#approvals = approvals;
  }

  /** Nothing of any phase is written. */
  get empty(): boolean {
    return !PHASES.some((phase) => this.has(phase));
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

  /** Records how far a spec is that was made elsewhere: from here on only a person moves it. */
  takeUp(): void {
    if (this.#approvals.read(this.name) === null) this.#approve(this.#approved());
  }

  /** The phase that waits for its work or its approval; null when all are approved. */
  get phase(): Phase | null {
    return PHASES[this.#approved()] ?? null;
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

  /**
   * How many phases are approved: what a person said, as far as the artifacts are still there. Where nobody has said anything the
   * artifacts tell: all before the last one that is there are, since each was made from the one before.
   */
  #approved(): number {
    const recorded = this.#approvals.read(this.name);
    if (recorded === null) return Math.max(1, (PHASES.findLast((phase) => this.has(phase))?.number ?? 1) - 1);
    let approved = Math.min(recorded, PHASES.length);
    while (approved > 1 && !this.has(phaseOf(approved))) approved--;
    return Math.max(1, approved);
  }

  #approve(number: number): void {
    this.#approvals.write(this.name, number);
  }

  #unlessThere(file: string, text: string): void {
    if (this.read(file) === null) this.write(file, text);
  }
}
