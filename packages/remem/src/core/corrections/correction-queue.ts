import type { Actor } from "../manager/actor.ts";
import { ManagerError } from "../manager/manager-error.ts";
import type { NewMemory } from "../memory/record.ts";
import type { MemoryContext } from "../orchestrator/memory-context.ts";
import type { Clock } from "../ports/clock.ts";
import type { CorrectionRecord, EngineState } from "../ports/engine-state.ts";
import type { Entry, MemoryStore } from "../ports/memory-store.ts";
import type { Screen } from "../ports/screen.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import { applyCorrection } from "./apply-correction.ts";
import { CorrectionError } from "./correction-error.ts";
import { type ReplayParts, replayCorrection } from "./replay-gate.ts";

export interface CorrectionParts extends Omit<ReplayParts, "store"> {
  readonly store: MemoryStore;
  readonly state: EngineState;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly host: string;
  readonly entry: (memory: NewMemory) => Promise<Entry>;
  /** The trace of the turn before the last one. */
  readonly previousTrace: (sessionId: string) => Promise<RecallTrace | undefined>;
  readonly onChange?: () => void;
}

/** What somebody hands in: what would have been right, and which memories were wrong. */
export interface CorrectionInput {
  readonly context: MemoryContext;
  readonly statement: string;
  /** Ids of memories that were wrong; those of other scopes are refused. */
  readonly disputed?: readonly string[];
}

const LONGEST_STATEMENT = 8_000;
const MOST_DISPUTED = 100;
/** Corrections that were applied and must still hold. */
const LAST_APPLIED = 20;
const MOST_LISTED = 100;
const OPEN = ["pending", "validated", "needs_changes"] as const;

/**
 * Corrections of wrong answers: handed in by anybody, checked by replaying the prompt on a copy, applied or rejected by a person.
 * Nothing changes in memory before that. Rejects with a CorrectionError, a ManagerError or a StoreError.
 */
export class CorrectionQueue {
  readonly #parts: CorrectionParts;

  constructor(parts: CorrectionParts) {
    this.#parts = parts;
  }

  /** Hands a correction in. The prompt is the one of the session's previous turn, whatever the caller says. */
  async submit({ context, statement, disputed = [] }: CorrectionInput): Promise<CorrectionRecord> {
    const { state, screen, clock, newId, previousTrace, store } = this.#parts;
    const { text } = await screen.screen(statement.slice(0, LONGEST_STATEMENT));
    if (text.trim() === "")
      throw new CorrectionError("empty", "a correction needs a statement", "say what would have been right");
    const trace = await previousTrace(context.sessionId);
    if (trace === undefined || trace.prompt === "")
      throw new CorrectionError(
        "no_previous_turn",
        `session ${context.sessionId} has no earlier prompt to correct`,
        "correct an answer in the session in which it was given, after your next prompt",
      );
    const ids = [...new Set(disputed)].slice(0, MOST_DISPUTED);
    const known = await store.get(ids, context.scopes);
    if (known.length < ids.length)
      throw new CorrectionError(
        "unknown_memory",
        `${ids.length - known.length} of ${ids.length} disputed memories are not there, or belong to another project`,
        "name only memories that the session was shown",
      );
    const correction: CorrectionRecord = {
      id: newId(),
      revision: 1,
      state: "pending",
      project: context.project,
      sessionId: context.sessionId,
      prompt: trace.prompt,
      statement: text.trim(),
      disputed: ids,
      findings: [],
      at: clock.now(),
    };
    await state.putCorrection(correction, null);
    return correction;
  }

  /** Those that wait for a check or a decision, newest first. */
  open(limit = MOST_LISTED): Promise<CorrectionRecord[]> {
    return this.#parts.state.corrections(OPEN, limit);
  }

  /** Those that are decided, newest first. */
  decided(limit = MOST_LISTED): Promise<CorrectionRecord[]> {
    return this.#parts.state.corrections(["applied", "rejected"], limit);
  }

  /**
   * Replays the prompt on a copy with the correction applied: the statement must be recalled now, and the last applied corrections
   * must still hold, each in its own project. Memory itself is not touched.
   */
  async validate(id: string, signal?: AbortSignal): Promise<CorrectionRecord> {
    const correction = await this.#open(id);
    const applied = await this.#parts.state.corrections(["applied"], LAST_APPLIED);
    const findings = await replayCorrection(this.#parts, correction, applied, signal);
    return this.#put(correction, {
      state: findings.length === 0 ? "validated" : "needs_changes",
      findings,
    });
  }

  /** A person applies a validated correction. `revision` is the one the person has seen. */
  async approve(id: string, revision: number, actor: Actor, reason?: string): Promise<CorrectionRecord> {
    this.#needPerson(actor, "apply a correction");
    const correction = await this.#open(id);
    this.#sameRevision(correction, revision);
    if (correction.state !== "validated")
      throw new CorrectionError(
        "not_validated",
        `correction ${id} is ${correction.state.replace("_", " ")}: only a validated one is applied`,
        "validate it first",
      );
    // The decision is recorded first: of two that decide at once, one applies.
    const decided = await this.#put(correction, { state: "applied", ...this.#decision(actor, reason) });
    try {
      await applyCorrection(this.#parts, decided, actor);
    } catch (error) {
      await this.#put(decided, { state: "validated", findings: ["it could not be applied; try again"] });
      throw error;
    }
    this.#parts.onChange?.();
    return decided;
  }

  /** A person refuses a correction. */
  async reject(id: string, revision: number, actor: Actor, reason?: string): Promise<CorrectionRecord> {
    this.#needPerson(actor, "reject a correction");
    const correction = await this.#open(id);
    this.#sameRevision(correction, revision);
    return this.#put(correction, { state: "rejected", ...this.#decision(actor, reason) });
  }

  async #open(id: string): Promise<CorrectionRecord> {
    const found = (await this.open(Number.MAX_SAFE_INTEGER)).find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new CorrectionError(
      "unknown_correction",
      `there is no open correction ${JSON.stringify(id.slice(0, 64))}`,
      "list the open corrections; one that is applied or rejected stays so",
    );
  }

  async #put(correction: CorrectionRecord, change: Partial<CorrectionRecord>): Promise<CorrectionRecord> {
    const next = { ...correction, ...change, revision: correction.revision + 1 };
    if (await this.#parts.state.putCorrection(next, correction.revision)) return next;
    throw changedMeanwhile(correction.id);
  }

  #sameRevision(correction: CorrectionRecord, revision: number): void {
    if (correction.revision !== revision) throw changedMeanwhile(correction.id);
  }

  #decision(actor: Actor, reason: string | undefined): Pick<CorrectionRecord, "decided"> {
    const at = this.#parts.clock.now();
    return { decided: { by: actor.name, at, ...(reason === undefined ? {} : { reason }) } };
  }

  #needPerson(actor: Actor, what: string): void {
    if (actor.interactive) return;
    throw new ManagerError(
      "person_needed",
      `only a person may ${what}; "${actor.name}" is none`,
      "ask for it in a terminal",
    );
  }
}

function changedMeanwhile(id: string): CorrectionError {
  return new CorrectionError(
    "changed_meanwhile",
    `somebody changed correction ${id} since you have seen it`,
    "look at it again, then decide",
  );
}
