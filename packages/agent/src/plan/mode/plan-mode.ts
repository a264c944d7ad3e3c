import type { Callbacks } from "../../contract/callbacks.ts";
import type { Message, UserMessage } from "../../contract/messages.ts";
import { SPECS } from "../spec/spec-files.ts";
import type { CallFacts } from "./call-rules.ts";

/** What plan mode works with. */
export interface PlanModeParts {
  /** How the session was left, or how it is to begin. */
  on: boolean;
  /** The model is told by its tools alone (a subagent, which has none that write). */
  quiet: boolean;
  conversation: { messages(): readonly Message[]; append(message: Message): void };
  facts: CallFacts;
  /** Keeps the mode with the session. */
  save(on: boolean): void;
}

/** The switch of plan mode: only reading, and writing below `specs/`. */
export interface PlanMode {
  readonly on: boolean;
  /** Acts from the next tool call on; the model is told with its next request. */
  set(on: boolean): void;
}

const MARK = "<plan-mode>";
const ON = `${MARK}
Plan mode is on. You look and plan; you change nothing. Files are written below ${SPECS}/ only (write, edit). bash runs where nothing can be written but its temporary folder. Commits, tools that are not known to only read, and subagents that can write are refused. A refusal is final: do not look for a way around it. The person ends plan mode with /plan.
</plan-mode>`;
const OFF = `${MARK}
Plan mode is off: the person allows changes again.
</plan-mode>`;

/** Plan mode of one conversation: a switch, and the callbacks that hold it. They must see the input as it will run. */
export class SwitchedPlanMode implements PlanMode {
  readonly callbacks: Callbacks;
  readonly #parts: PlanModeParts;
  #on: boolean;
  /** It was on at some time, so that the model may have been told. */
  #ever: boolean;

  constructor(parts: PlanModeParts) {
    this.#parts = parts;
    this.#on = parts.on;
    this.#ever = parts.on;
    this.callbacks = {
      name: "plan mode",
      beforeModel: async (request) => {
        const reminder = this.#reminder();
        return reminder === null ? undefined : { ...request, messages: [...request.messages, reminder] };
      },
      beforeTool: async (call) => {
        if (!this.#on) return undefined;
        const { planProblem } = await import("./call-rules.ts");
        const problem = await planProblem(call, parts.facts);
        return problem === undefined
          ? undefined
          : { block: `Not run: plan mode is on, and ${problem}. Nothing was changed.` };
      },
    };
  }

  get on(): boolean {
    return this.#on;
  }

  set(on: boolean): void {
    if (on === this.#on) return;
    this.#on = on;
    this.#ever = true;
    this.#parts.save(on);
  }

  /** Tells the model of the mode where its history does not (any more, after a compaction); stored, so that later requests begin alike. */
  #reminder(): UserMessage | null {
    if (this.#parts.quiet || !this.#ever) return null;
    const { conversation } = this.#parts;
    const told = conversation.messages().findLast(isReminder)?.parts[0];
    const known = told?.type === "text" ? told.text : OFF;
    const text = this.#on ? ON : OFF;
    if (known === text) return null;
    const reminder: UserMessage = { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
    conversation.append(reminder);
    return reminder;
  }
}

function isReminder(message: Message): message is UserMessage {
  const part = message.role === "user" && message.origin === "reminder" ? message.parts[0] : undefined;
  return part?.type === "text" && part.text.startsWith(MARK);
}
