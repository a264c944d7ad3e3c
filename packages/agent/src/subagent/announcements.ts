import type { AgentReport, StartedAgent } from "../contract/subagents.ts";

/** What became of a subagent that nobody waits for. */
type Tell = (report: AgentReport) => void;

/** The ends of background subagents that their caller has not heard of yet; each is told once. */
export class Announcements {
  readonly #expected = new Set<StartedAgent>();
  readonly #tell: Tell;
  #ended: AgentReport[] = [];

  /** `tell` hears of each end as it comes. */
  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Nobody waits for this one. */
  expect(agent: StartedAgent): void {
    this.#expected.add(agent);
    void agent.ended.then((report) => {
      if (!this.#expected.delete(agent)) return;
      this.#ended.push(report);
      this.#tell(report);
    });
  }

  /** The caller was given how it ended. */
  heard(agent: StartedAgent): void {
    this.#expected.delete(agent);
    this.#ended = this.#ended.filter(({ id }) => id !== agent.id);
  }

  /** What the model is to be reminded of with its next request; null when there is nothing new. */
  take(): string | null {
    const ended = this.#ended;
    this.#ended = [];
    return ended.length === 0 ? null : ended.map(reminderOf).join("\n");
  }
}

function reminderOf({ id, state, reason }: AgentReport): string {
  const how = { done: "is done", cancelled: "was stopped" }[state as string] ?? `did not finish (${state})`;
  const why = reason === null ? "" : `: ${reason}`;
  return `The background subagent ${id} ${how}${why}. agent {"resume": "${id}"} gives its result.`;
}
