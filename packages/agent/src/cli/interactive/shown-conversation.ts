import { errorMessage } from "../../contract/errors.ts";
import type { PlacedMessage } from "../../contract/interactive.ts";
import type { ImagePart, Message } from "../../contract/messages.ts";
import type { Session } from "../../session/session.ts";
import { keptMessages } from "../extensions/kept-messages.ts";

/** A result is stored just before its event; calls of one answer run side by side. */
const RECENT_RESULTS = 64;

/** What the surface shows of the open conversation. Nothing here throws: a log that cannot be read is told, and less is shown. */
export class ShownConversation {
  readonly #session: () => Session | undefined;
  readonly #onProblem: (message: string) => void;

  constructor(session: () => Session | undefined, onProblem: (message: string) => void) {
    this.#session = session;
    this.#onProblem = onProblem;
  }

  /** What was said, whatever a compaction took out of the model's view. */
  messages(): readonly Message[] {
    try {
      return this.#session()?.said() ?? [];
    } catch (thrown) {
      this.#onProblem(errorMessage(thrown));
      return this.#session()?.messages() ?? [];
    }
  }

  /** Messages of extensions, with their places. */
  ofExtensions(): readonly PlacedMessage[] {
    const session = this.#session();
    try {
      return session === undefined ? [] : keptMessages(session);
    } catch {
      // the log cannot be read: messages() has said so
      return [];
    }
  }

  /** Pictures in the result of a call that has just ended. */
  resultImages(callId: string): readonly ImagePart[] {
    const recent = this.#session()?.messages().slice(-RECENT_RESULTS) ?? [];
    for (const message of recent)
      for (const part of message.role === "tool" ? message.parts : [])
        if (part.id === callId) return part.content.filter((each) => each.type === "image");
    return [];
  }
}
