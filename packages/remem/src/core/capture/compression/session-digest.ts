import type { SessionSummary } from "../../ports/memory-store.ts";
import type { CapturedEntry } from "../captured-entry.ts";
import { shorten } from "../tools/error-line.ts";

const MOST_FILES = 20;
const MOST_DONE = 10;
const MOST_STEPS = 5;
const LONGEST_REQUEST = 300;
const LONGEST_LINE = 200;
const NEXT_STEPS =
  /^\W*(next steps?|to ?do|remaining|still open|left to do|nächste schritte|offen|prochaines étapes|próximos pasos|próximos passos|下一步|次のステップ).{0,20}[:：]?\W*$/imu;

/** What a session came to, by rule: gathered from what was captured, so that it is screened and needs no model. */
export class SessionDigest {
  #request = "";
  #lastAnswer = "";
  readonly #files = new Set<string>();
  readonly #done: string[] = [];
  readonly #found: string[] = [];

  /** Takes what was captured into account. */
  add({ memory }: CapturedEntry): void {
    const { kind, text, title, files, provenance } = memory;
    if (kind === "prompt") this.#request ||= shorten(text, LONGEST_REQUEST);
    else if (kind === "answer") this.#lastAnswer = text;
    else if (provenance.author.role === "tool") {
      if (kind === "discovery") this.#found.push(shorten(title ?? text, LONGEST_LINE));
      else if (kind !== "toolnote") {
        for (const file of files ?? []) this.#files.add(file);
        if (kind !== "change") this.#done.push(shorten(title ?? text, LONGEST_LINE));
      }
    }
  }

  /** Nothing that is worth a summary happened. */
  get isEmpty(): boolean {
    return this.#request === "" || (this.#files.size === 0 && this.#lastAnswer === "");
  }

  /** The last answer, for a model that writes a better summary. */
  get lastAnswer(): string {
    return this.#lastAnswer;
  }

  summary(session: Pick<SessionSummary, "sessionId" | "project" | "at">): SessionSummary {
    const files = [...this.#files];
    const changed =
      files.length === 0
        ? []
        : [
            `changed ${files.slice(0, MOST_FILES).join(", ")}${files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more files` : ""}`,
          ];
    return {
      ...session,
      request: this.#request,
      investigated: this.#found.slice(-MOST_STEPS).join("; "),
      learned: "",
      completed: [...this.#done.slice(-MOST_DONE), ...changed].join("; "),
      nextSteps: nextSteps(this.#lastAnswer),
    };
  }
}

/** The list under an answer's own heading of what is left to do. */
function nextSteps(answer: string): string {
  const lines = answer.split("\n");
  const heading = lines.findIndex((line) => NEXT_STEPS.test(line));
  if (heading < 0) return "";
  const steps: string[] = [];
  for (const line of lines.slice(heading + 1)) {
    if (line.trim() === "" && steps.length === 0) continue;
    if (!/^\s*([-*•]|\d+[.)])\s/u.test(line) || steps.length === MOST_STEPS) break;
    steps.push(shorten(line.replace(/^\s*([-*•]|\d+[.)])\s+/u, ""), LONGEST_LINE));
  }
  return steps.join("; ");
}
