import { errorMessage } from "../../contract/errors.ts";
import type { AgentChange } from "../../contract/subagents.ts";
import type { Slice } from "../spec/parse-plan.ts";
import type { Gate } from "../spec/parse-prompt.ts";
import type { RunJournal, UnfinishedRun } from "./journal.ts";
import type { RunOutcome, RunPlace, RunPorts, RunReport, SliceResult } from "./run-ports.ts";
import { startable } from "./schedule.ts";
import { type SliceParts, workOnSlice } from "./slice-work.ts";
import { settleWhole } from "./whole-work.ts";

/** What is carried out. */
export interface RunnableSpec {
  name: string;
  /** What every worker is told: the text of `PROMPT.md`. */
  briefing: string;
  slices: readonly Slice[];
  gates: readonly Gate[];
  criteria: string | null;
}

export interface RunOptions {
  /** How often a slice, and then the whole, is given back to be mended. */
  retries: number;
  /** Begin anew although a run of this spec was interrupted; its branch stays. */
  fresh: boolean;
}

/** Carries out a spec: slices by workers on copies, gates, a review, and only then a merge. Never rejects; what is not merged is kept and named. */
export async function runSpec(
  spec: RunnableSpec,
  options: RunOptions,
  parts: { journal: RunJournal; ports: RunPorts; signal: AbortSignal },
): Promise<RunReport> {
  return await new SpecRun(spec, options, parts).run();
}

class SpecRun {
  readonly #spec: RunnableSpec;
  readonly #options: RunOptions;
  readonly #journal: RunJournal;
  readonly #ports: RunPorts;
  readonly #signal: AbortSignal;
  readonly #results = new Map<number, SliceResult>();
  /** Changes of workers that are on their own branches only. */
  readonly #left = new Map<string, string>();
  readonly #report: RunReport;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    spec: RunnableSpec,
    options: RunOptions,
    { journal, ports, signal }: { journal: RunJournal; ports: RunPorts; signal: AbortSignal },
  ) {
    this.#spec = spec;
    this.#options = options;
    this.#journal = journal;
    this.#ports = ports;
    this.#signal = signal;
    this.#report = {
      spec: spec.name,
      run: "",
      outcome: "failed",
      usedUp: false,
      message: "",
      slices: [],
      gates: [],
      review: null,
      repairs: 0,
      startedAt: ports.clock.now(),
      durationMs: 0,
      kept: [],
      notes: [],
    };
    for (const { number, title } of spec.slices.filter(({ done }) => done))
      this.#results.set(number, { number, title, outcome: "before", attempts: 0, durationMs: 0 });
  }

  async run(): Promise<RunReport> {
    let place: RunPlace | null = null;
    try {
      if (this.#done().size === this.#spec.slices.length)
        return await this.#end("nothing", "All slices are ticked already; there is nothing to do.");
      place = await this.#open();
      if (place === null)
        return await this.#end("merged", "The work of the interrupted run had been brought in already.");
      const [outcome, message] = await this.#carryOut(place);
      return await this.#end(outcome, message);
    } catch (thrown) {
      return await this.#end(this.#signal.aborted ? "stopped" : "failed", errorMessage(thrown), place);
    } finally {
      place?.close();
      this.#report.durationMs = this.#ports.clock.now() - this.#report.startedAt;
    }
  }

  /** The copy of the run that was interrupted, or a new one; null: that one had delivered its work. */
  async #open(): Promise<RunPlace | null> {
    const before = this.#options.fresh ? null : this.#journal.unfinished();
    const again = before === null ? null : await this.#ports.open({ id: before.run, base: before.base });
    if (before !== null && again === null && before.delivering) {
      for (const result of before.done) this.#results.set(result.number, result);
      return null;
    }
    const place = again ?? (await this.#ports.open(null))!;
    if (before !== null) await this.#nameWorkers(before, place);
    if (before !== null && again !== null) await this.#recall(before, again);
    else
      this.#journal.append({ type: "begin", run: place.id, base: place.base, at: this.#ports.clock.now() });
    this.#report.run = place.id;
    this.#report.notes.push(...place.notes);
    const { name, slices } = this.#spec;
    this.#ports.tell({
      type: "run_begin",
      spec: name,
      run: place.id,
      branch: place.branch,
      slices: slices.length,
      done: this.#done().size,
      resumed: again !== null,
    });
    return place;
  }

  /** What an interrupted run has done; a slice that is called differently by now is done anew. */
  async #recall(before: UnfinishedRun, place: RunPlace): Promise<void> {
    const { taking } = before;
    const done = [...before.done];
    if (taking !== null && (await place.head()) !== taking.head) {
      // Killed between the change and its record.
      const result: SliceResult = {
        number: taking.slice,
        title: taking.title,
        outcome: "done",
        attempts: 1,
        durationMs: 0,
        agent: taking.agent,
      };
      this.#journal.append({ type: "slice", result });
      done.push(result);
    }
    for (const result of done)
      if (this.#spec.slices.some(({ number, title }) => number === result.number && title === result.title))
        this.#results.set(result.number, { ...result, outcome: "before" });
  }

  /** What workers of an interrupted run had changed is kept, whatever becomes of their slices. */
  async #nameWorkers({ workers, done }: UnfinishedRun, place: RunPlace): Promise<void> {
    for (const agent of workers.filter((id) => !done.some((result) => result.agent === id)))
      this.#leave(agent, await place.rescue(agent));
  }

  async #carryOut(place: RunPlace): Promise<[RunOutcome, string]> {
    const parts = this.#partsFor(place);
    await this.#workOnSlices(parts);
    const failed = [...this.#results.values()].find(({ outcome }) => outcome === "failed");
    if (this.#signal.aborted) return await this.#keep(place, "stopped", "It was stopped.");
    if (failed !== undefined) return await this.#keep(place, "failed", this.#failureOf(failed));
    const whole = await settleWhole({ ...parts, gates: this.#spec.gates, criteria: this.#spec.criteria });
    const { gates, review, repairs, usedUp } = whole;
    Object.assign(this.#report, { gates, review, repairs, usedUp });
    if (this.#signal.aborted) return await this.#keep(place, "stopped", "It was stopped.");
    if (whole.problem !== null) return await this.#keep(place, "failed", whole.problem);
    return await this.#deliver(place);
  }

  #failureOf({ number, title, attempts, reason = "", usedUp }: SliceResult): string {
    this.#report.usedUp = usedUp === true;
    const tries = attempts === 1 ? "one attempt" : `${attempts} attempts`;
    return `Slice ${number} (${title}) was not done in ${tries}. ${reason}`;
  }

  async #workOnSlices(parts: SliceParts): Promise<void> {
    const { slices } = this.#spec;
    const running = new Map<number, Promise<void>>();
    let going = true;
    for (;;) {
      const state = { done: this.#done(), running: new Set(running.keys()) };
      const next = going && !this.#signal.aborted ? startable(slices, state) : [];
      for (const slice of next)
        running.set(
          slice.number,
          workOnSlice(slice, parts).then((result) => {
            running.delete(slice.number);
            this.#results.set(slice.number, result);
            if (result.outcome !== "done") going = false;
            if (result.outcome === "done" || result.outcome === "failed") this.#tellSlice(result);
          }),
        );
      if (running.size === 0) return;
      await Promise.race(running.values());
    }
  }

  async #deliver(place: RunPlace): Promise<[RunOutcome, string]> {
    const change = await place.keep();
    if (change === null) return ["nothing", "All slices hold, and nothing had to be changed for it."];
    this.#journal.append({ type: "delivering" });
    const { outcome, message } = await place.deliver();
    this.#ports.tell({ type: "merge", outcome, message });
    if (outcome === "joined" || outcome === "nothing") return ["merged", message];
    this.#report.kept.push(change.branch);
    return [outcome === "conflict" ? "conflict" : "failed", message];
  }

  async #keep(place: RunPlace, outcome: RunOutcome, message: string): Promise<[RunOutcome, string]> {
    await this.#nameKept(place);
    return [outcome, message.trim()];
  }

  async #nameKept(place: RunPlace): Promise<void> {
    try {
      const change = await place.keep();
      if (change !== null) this.#report.kept.push(placeOf(change));
    } catch (thrown) {
      this.#report.kept.push(`${place.branch}, as far as it was written (${errorMessage(thrown)})`);
    }
  }

  async #end(outcome: RunOutcome, message: string, broken: RunPlace | null = null): Promise<RunReport> {
    if (broken !== null) await this.#nameKept(broken);
    const report = this.#report;
    report.kept.push(...this.#left.values());
    report.outcome = outcome;
    report.message = message;
    report.slices = this.#spec.slices.map(
      ({ number, title }) =>
        this.#results.get(number) ?? { number, title, outcome: "not begun", attempts: 0, durationMs: 0 },
    );
    try {
      this.#journal.append({ type: "end", outcome });
    } catch (thrown) {
      report.notes.push(`The end of the run could not be written down: ${errorMessage(thrown)}.`);
    }
    return report;
  }

  #partsFor(place: RunPlace): SliceParts {
    return {
      spec: this.#spec.name,
      briefing: this.#spec.briefing,
      retries: this.#options.retries,
      place,
      journal: this.#journal,
      ports: this.#ports,
      signal: this.#signal,
      keep: (agent, { change }) => this.#leave(agent, change),
      alone: (work) => {
        const mine = this.#turn.then(work);
        this.#turn = mine.catch(() => undefined);
        return mine;
      },
    };
  }

  #leave(agent: string, change: AgentChange | null): void {
    if (change === null) this.#left.delete(agent);
    else this.#left.set(agent, placeOf(change));
  }

  #done(): Set<number> {
    const done = [...this.#results.values()].filter(
      ({ outcome }) => outcome === "done" || outcome === "before",
    );
    return new Set(done.map(({ number }) => number));
  }

  #tellSlice({ number, title, outcome, attempts, reason }: SliceResult): void {
    this.#ports.tell({
      type: "slice_end",
      slice: number,
      title,
      outcome: outcome === "done" ? "done" : "failed",
      attempts,
      ...(reason === undefined ? {} : { reason }),
    });
  }
}

function placeOf({ branch, folder }: AgentChange): string {
  return folder === null ? branch : `${branch} (and ${folder})`;
}
