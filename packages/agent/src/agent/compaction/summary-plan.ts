/** What a summary would stand for, and the history with it. */
import type { Message, UserMessage } from "../../contract/messages.ts";
import type { SpillDoor } from "../../contract/tool.ts";
import type { ContextMeter } from "../context-meter.ts";
import type { KindOf } from "./calls.ts";
import { fileListText, filesIn } from "./file-list.ts";
import { isPersons, keptPrompts, keptReminders, keptRequest } from "./kept-messages.ts";
import { CHARACTERS_A_TOKEN } from "./kept-text.ts";
import type { CompactionLimits } from "./limits.ts";
import { changedHistory } from "./replace.ts";
import { shortenContent } from "./shorten.ts";
import { tailStart } from "./tail.ts";

/** Results of the newest steps are cut to no less than this many characters. */
const LEAST_RESULT = 2_000;

export interface SummaryParts {
  limits: CompactionLimits;
  meter: ContextMeter;
  kindOf: KindOf;
}

/** A compaction by summary, decided and not yet made. */
export class SummaryPlan {
  /** What the summary has to tell of. */
  readonly covered: readonly Message[];
  /** The newest request when it is not among these. */
  readonly request: UserMessage | undefined;
  readonly #messages: readonly Message[];
  readonly #parts: SummaryParts;
  readonly #start: number;
  readonly #requestAt: number;

  constructor(messages: readonly Message[], parts: SummaryParts) {
    const { limits, meter } = parts;
    this.#messages = [...messages];
    this.#parts = parts;
    this.#start = tailStart(messages, limits.tail, (message) => meter.ofMessage(message));
    this.#requestAt = messages.findLastIndex(
      (message) => message.role === "user" && message.origin === "user",
    );
    this.covered = this.#messages.slice(0, this.#start);
    const request = messages[this.#requestAt];
    this.request = this.#requestAt >= this.#start && request?.role === "user" ? request : undefined;
  }

  /**
   * The history with `summary` in the place of what it covers: reminders, earlier prompts, the summary with the list of files, the
   * newest request and what was written after it, and the newest steps.
   */
  history(summary: string, spill: SpillDoor | undefined): Message[] {
    const { limits, meter, kindOf } = this.#parts;
    const tokensOf = (message: Message) => meter.ofMessage(message);
    const covered = this.covered;
    const persons = covered.filter(isPersons);
    const request = persons.find((message) => message === this.#messages[this.#requestAt]);
    const at = request ? persons.indexOf(request) : persons.length;
    const later = keptPrompts(persons.slice(at + 1), limits.user, tokensOf);
    const earlier = keptPrompts(persons.slice(0, at), later.room, tokensOf);
    const files = fileListText(filesIn(covered, kindOf), limits.files, (text) => meter.ofText(text));
    const images = imagesIn(covered) - (request ? imagesIn([request]) : 0);
    const note = heading(earlier.left + later.left, images);
    return [
      ...keptReminders(covered, limits.reminders, tokensOf),
      ...earlier.messages,
      {
        role: "user",
        origin: "summary",
        parts: [
          { type: "text", text: `${note}\n\n${summary}` },
          ...(files === "" ? [] : [{ type: "text" as const, text: files }]),
        ],
      },
      ...(request ? [keptRequest(request, limits.request, tokensOf, spill)] : []),
      ...later.messages,
      ...this.#tail(spill),
    ];
  }

  /** The newest steps; where even these are too much, their longest results are cut. */
  #tail(spill: SpillDoor | undefined): Message[] {
    const { limits, meter } = this.#parts;
    const tail = this.#messages.slice(this.#start);
    const tokens = tail.reduce((sum, message) => sum + meter.ofMessage(message), 0);
    if (tokens <= limits.tail) return tail;
    const results = tail.reduce(
      (sum, message) => sum + (message.role === "tool" ? message.parts.length : 0),
      0,
    );
    const most = Math.max(
      LEAST_RESULT,
      Math.floor((limits.tail * CHARACTERS_A_TOKEN) / Math.max(1, results)),
    );
    return changedHistory(tail, (part) => {
      if ("role" in part) return part;
      const size = part.content.reduce((sum, each) => sum + (each.type === "text" ? each.text.length : 0), 0);
      return size <= most ? part : { ...part, content: shortenContent(part.content, part.name, spill, most) };
    });
  }
}

function heading(left: number, images: number): string {
  const prompts = left === 0 ? "" : ` ${left} older ones had no place and are told of below only.`;
  const pictures = images === 0 ? "" : ` ${images} ${images === 1 ? "image" : "images"} were left out.`;
  return `[The conversation up to here was summarised to fit the context window. What the user wrote is kept word for word before and after this note.${prompts}${pictures} Rely on the notes, and look at files again before you change them.]`;
}

function imagesIn(messages: readonly Message[]): number {
  let count = 0;
  for (const message of messages)
    for (const part of message.parts) {
      if (part.type === "image") count++;
      else if (part.type === "tool_result")
        count += part.content.filter((each) => each.type === "image").length;
    }
  return count;
}
