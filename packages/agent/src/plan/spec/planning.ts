import type { Callbacks } from "../../contract/callbacks.ts";
import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import { type Message, textOf } from "../../contract/messages.ts";
import type { Dialogs } from "../../contract/slash-command.ts";
import type { Approvals } from "./approvals.ts";
import { isPhaseMessage, phaseMessage } from "./phase-message.ts";
import { PHASES, type Phase } from "./phases.ts";
import { PlannedSpec } from "./planned-spec.ts";
import type { SpecFiles } from "./spec-files.ts";
import { isSpecName, specName } from "./spec-name.ts";

/** What planning works with. */
export interface PlanningParts {
  files: SpecFiles;
  approvals: Approvals;
  /** The name of the spec that this conversation plans, kept with the session; null: none. */
  current: { get(): string | null; set(name: string | null): void };
  messages(): readonly Message[];
  mode: { set(on: boolean): void };
  /** The person's own SOP; null: the built-in one. */
  sop(): Promise<string | null>;
  /** Gives the model a message, now or when its answer is over. */
  send(text: string): void;
  /** Null: nobody can be asked. */
  dialogs: Dialogs | null;
  tell(level: "info" | "warning", message: string): void;
}

/** Where the planning of a spec is. */
export interface PlanningStand {
  spec: string;
  folder: string;
  phases: readonly { phase: Phase; state: "approved" | "current" | "later"; written: boolean }[];
  /** What keeps the current phase from being approved. */
  missing: string | null;
}

/** The planning of one spec in one conversation: its phases, and what the person says. */
export class Planning {
  readonly #parts: PlanningParts;
  /** The state of the artifact for which the person was asked last. */
  #asked = "";

  constructor(parts: PlanningParts) {
    this.#parts = parts;
  }

  get spec(): PlannedSpec | null {
    const name = this.#parts.current.get();
    return name === null || !isSpecName(name) ? null : this.#specOf(name);
  }

  names(): string[] {
    return this.#parts.files.names();
  }

  /** The spec that an idea or a name means, and whether it is there already. Throws PiError `spec_name`. */
  find(idea: string): { name: string; known: boolean } {
    const word = idea.trim().replace(/^specs\/|\/$/g, "");
    const name = isSpecName(word) && this.#parts.files.exists(word) ? word : specName(idea);
    if (name === "")
      throw new PiError({
        code: "spec_name",
        message: `"${idea.slice(0, 100)}" has no word that a spec could be named by`,
        hint: "Say the idea in a few words: /plan export as CSV",
      });
    return { name, known: this.#parts.files.exists(name) };
  }

  /** Begins a spec, or goes on with one at the phase that its artifacts tell of. */
  async begin(name: string, idea: string): Promise<Phase | null> {
    const spec = this.#specOf(name);
    if (spec.empty) spec.begin(idea);
    else spec.takeUp();
    this.#parts.current.set(name);
    this.#parts.mode.set(true);
    const { phase } = spec;
    if (phase !== null) await this.#start(spec, phase);
    return phase;
  }

  /** Approves the current phase and begins the next. Null: that was the last. Rejects with a PiError that says what is missing. */
  async approve(): Promise<{ approved: Phase; next: Phase | null }> {
    const spec = this.#open();
    const approved = spec.phase;
    if (approved === null)
      throw new PiError({
        code: "spec_done",
        message: `all phases of ${spec.name} are approved`,
        hint: `/run ${spec.name} carries it out.`,
      });
    const next = spec.approve();
    if (next !== null) await this.#start(spec, next);
    else this.#end();
    return { approved, next };
  }

  /** Goes back one phase. Null at the first one. */
  async back(): Promise<Phase | null> {
    const spec = this.#open();
    const phase = spec.back();
    if (phase !== null) await this.#start(spec, phase);
    return phase;
  }

  stand(): PlanningStand | null {
    const { spec } = this;
    if (spec === null) return null;
    const current = spec.phase?.number ?? PHASES.length + 1;
    const problems = spec.phase === null ? [] : spec.problems(spec.phase);
    return {
      spec: spec.name,
      folder: spec.folder,
      phases: PHASES.map((phase) => ({
        phase,
        state: phase.number < current ? "approved" : phase.number === current ? "current" : "later",
        written: spec.has(phase),
      })),
      missing: problems.length === 0 ? null : problems.map(({ message }) => message).join("; "),
    };
  }

  /** Keeps questions and answers, and asks the person when a phase is done. */
  readonly callbacks: Callbacks = {
    name: "planning",
    beforePrompt: async (message) => {
      this.#keepAnswer(textOf(message.parts));
      return undefined;
    },
    beforeStop: async ({ stop }, signal) => {
      if (stop === "end") await this.#askForApproval(signal);
      return undefined;
    },
  };

  #keepAnswer(answer: string): void {
    const { spec } = this;
    if (spec?.phase?.name !== "requirements" || isPhaseMessage(answer) || answer.trim() === "") return;
    const last = this.#parts.messages().findLast((message) => message.role !== "tool");
    const question = last?.role === "assistant" ? textOf(last.parts) : "";
    if (question.trim() === "") return;
    try {
      spec.record(question, answer);
    } catch (thrown) {
      this.#parts.tell(
        "warning",
        `the answer is not in ${spec.name}/requirements.md: ${errorMessage(thrown)}`,
      );
    }
  }

  async #askForApproval(signal: AbortSignal): Promise<void> {
    const { dialogs } = this.#parts;
    const { spec } = this;
    const phase = spec?.phase ?? null;
    if (dialogs === null || spec === null || phase === null || !isReady(spec, phase)) return;
    const state = `${phase.number} ${spec.written(phase)}`;
    if (state === this.#asked) return;
    this.#asked = state;
    const yes = await dialogs.choose(
      {
        title: `Phase ${phase.number} of ${PHASES.length} (${phase.title}) is written: ${spec.folder}/${phase.artifact}`,
        choices: [
          {
            value: true,
            label: "Approve it",
            description: phase.number === PHASES.length ? "the spec is complete" : "and begin the next phase",
          },
          { value: false, label: "Not yet", description: "say what is to change" },
        ],
        filter: false,
        unasked: true,
      },
      signal,
    );
    if (yes !== true) return;
    try {
      const { next } = await this.approve();
      if (next === null)
        this.#parts.tell(
          "info",
          `${spec.folder} is complete and plan mode is off; /run ${spec.name} carries it out`,
        );
    } catch (thrown) {
      const hint = isPiError(thrown) && thrown.hint !== undefined ? ` ${thrown.hint}` : "";
      this.#parts.tell("warning", `${errorMessage(thrown)}${hint}`);
    }
  }

  #specOf(name: string): PlannedSpec {
    return new PlannedSpec(name, this.#parts.files, this.#parts.approvals);
  }

  #open(): PlannedSpec {
    const { spec } = this;
    if (spec !== null && this.#parts.files.exists(spec.name)) return spec;
    throw new PiError({
      code: "spec_none",
      message: "no spec is planned in this conversation",
      hint: `/plan IDEA begins one${this.names().length === 0 ? "" : `; there are ${this.names().join(", ")}`}.`,
    });
  }

  async #start(spec: PlannedSpec, phase: Phase): Promise<void> {
    this.#parts.send(phaseMessage(spec, phase, await this.#parts.sop()));
  }

  #end(): void {
    this.#parts.current.set(null);
    this.#parts.mode.set(false);
  }
}

/** Whether a phase looks done: of the requirements the summary is the last that is written. */
function isReady(spec: PlannedSpec, phase: Phase): boolean {
  if (phase.name === "requirements" && !/^## Summary\b/im.test(spec.read(phase.artifact) ?? "")) return false;
  return spec.problems(phase).length === 0;
}
