import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../contract/consent.ts";
import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";

export interface ChildQuestionParts {
  /** The subagent that asks. */
  id: string;
  /** Null: there is nobody, so that each question is answered with no. */
  person: AskDoor | null;
  /** Writes a line to the subagent. */
  answer(line: JsonObject): void;
  /** Hears of the first question that waits, and (false) when none does any more. */
  waiting(waits: boolean): void;
}

/** The questions of a subagent on their way to the person. A yes holds for this subagent alone, and never for good. */
export class ChildQuestions {
  readonly #parts: ChildQuestionParts;
  readonly #open = new Map<number, AbortController>();

  constructor(parts: ChildQuestionParts) {
    this.#parts = parts;
  }

  /** A line of the subagent's about a question. */
  take(message: JsonObject): void {
    const { id, closed, question } = message;
    if (typeof id !== "number") return;
    if (closed === true) this.#open.get(id)?.abort();
    else if (!this.#open.has(id)) void this.#ask(id, questionIn(question));
  }

  /** The subagent ends: what is asked for it is closed. */
  close(): void {
    for (const open of this.#open.values()) open.abort();
  }

  async #ask(id: number, question: ConsentQuestion | null): Promise<void> {
    const { person, waiting } = this.#parts;
    const open = new AbortController();
    this.#open.set(id, open);
    if (this.#open.size === 1) waiting(true);
    let answer: ConsentAnswer = { answer: "refuse" };
    try {
      if (person !== null && question !== null)
        answer = await person.decide(
          { ...question, from: question.from ?? this.#parts.id, lasting: false },
          open.signal,
        );
    } catch {
      // a question that cannot be asked is no yes
    }
    this.#open.delete(id);
    if (this.#open.size === 0) waiting(false);
    if (!open.signal.aborted) this.#parts.answer({ ask: id, answer: { ...answer } });
  }
}

/** A question as our own program asks it; null for anything else. */
function questionIn(value: Json | undefined): ConsentQuestion | null {
  if (!isJsonObject(value) || !isJsonObject(value["call"])) return null;
  const { call, rule, reason, suggestions, from } = value;
  const { id, name, kind, input } = call as JsonObject;
  if (typeof id !== "string" || typeof name !== "string" || !isJsonObject(input)) return null;
  if (typeof rule !== "string" || typeof reason !== "string" || !Array.isArray(suggestions)) return null;
  return {
    call: { id, name, kind: kind as ConsentQuestion["call"]["kind"], input },
    rule,
    reason,
    suggestions: suggestions.filter((each) => typeof each === "string"),
    lasting: false,
    ...(typeof from === "string" ? { from } : {}),
  };
}
