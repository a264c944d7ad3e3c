import type { ScreenFinding } from "../ports/screen.ts";
import type { CaptureExplanation, CaptureReport } from "./capture-report.ts";

type Recent = CaptureExplanation["recent"][number];

const MOST_SESSIONS = 100;
const RECENT = 20;

/** Counts what capture does, and remembers the newest decisions of each session; never a text. */
export class CaptureLog {
  stored = 0;
  joined = 0;
  dropped = 0;
  readonly #excluded: Record<string, number> = {};
  readonly #redacted: Record<string, number> = {};
  readonly #sessions = new Map<string, Recent[]>();

  exclude(sessionId: string, decision: Recent): void {
    this.#excluded[decision.reason] = (this.#excluded[decision.reason] ?? 0) + 1;
    this.note(sessionId, decision);
  }

  redact(findings: readonly ScreenFinding[]): void {
    for (const { rule } of findings) this.#redacted[rule] = (this.#redacted[rule] ?? 0) + 1;
  }

  note(sessionId: string, decision: Recent): void {
    const recent = this.#sessions.get(sessionId) ?? [];
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, [...recent, decision].slice(-RECENT));
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  recent(sessionId: string): readonly Recent[] {
    return this.#sessions.get(sessionId) ?? [];
  }

  report(now: Pick<CaptureReport, "enabled" | "pending" | "waiting" | "blocked">): CaptureReport {
    return {
      ...now,
      stored: this.stored,
      joined: this.joined,
      dropped: this.dropped,
      excluded: { ...this.#excluded },
      redacted: { ...this.#redacted },
    };
  }
}
