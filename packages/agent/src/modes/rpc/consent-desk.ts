import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../../contract/consent.ts";
import { PiError } from "../../contract/errors.ts";
import { notificationLine } from "./event-lines.ts";

/** A client that says it can answer. */
export interface ConsentClient {
  notify(line: string): void;
}

interface Pending {
  line: string;
  sessionId: string;
  asked: Set<ConsentClient>;
  settle(answer: ConsentAnswer): void;
}

/** The door of one session: until it is known which one that is, nobody is asked. */
export interface SessionAskDoor extends AskDoor {
  bind(sessionId: string): void;
}

/** The questions of all sessions, and the clients that answer them: the first answer counts. */
export class ConsentDesk {
  readonly #pending = new Map<string, Pending>();
  readonly #clientsOf: (sessionId: string) => readonly ConsentClient[];
  #asked = 0;

  /** `clientsOf` gives the clients of a session that can answer now. */
  constructor(clientsOf: (sessionId: string) => readonly ConsentClient[]) {
    this.#clientsOf = clientsOf;
  }

  door(): SessionAskDoor {
    let sessionId = "";
    return {
      bind: (id) => {
        sessionId = id;
      },
      decide: (question, signal) => this.#decide(sessionId, question, signal),
    };
  }

  /** Throws PiError `no_question` when it is not open any more, or was never put to this client. */
  answer(client: ConsentClient, requestId: string, answer: ConsentAnswer): void {
    const pending = this.#pending.get(requestId);
    if (pending?.asked.has(client) !== true)
      throw new PiError({
        code: "no_question",
        message: `no question ${JSON.stringify(requestId)} is open`,
        hint: "It may have been answered, or its run was cancelled.",
      });
    pending.settle(answer);
  }

  /** A client has gone, or answers no more. */
  leave(client: ConsentClient): void {
    for (const { asked, settle } of [...this.#pending.values()])
      if (asked.delete(client) && asked.size === 0) settle({ answer: "refuse", reason: NOBODY });
  }

  #decide(sessionId: string, question: ConsentQuestion, signal: AbortSignal): Promise<ConsentAnswer> {
    const asked = new Set(this.#clientsOf(sessionId));
    if (asked.size === 0 || signal.aborted) return Promise.resolve({ answer: "refuse", reason: NOBODY });
    const requestId = `q${++this.#asked}`;
    const { call, rule, reason, suggestions, lasting } = question;
    const line = notificationLine("consent.request", {
      request_id: requestId,
      session_id: sessionId,
      id: call.id,
      tool_name: call.name,
      tool_input: call.input,
      rule,
      reason,
      suggestions,
      lasting,
    });
    return new Promise((resolve) => {
      const settle = (answer: ConsentAnswer) => {
        if (!this.#pending.delete(requestId)) return;
        signal.removeEventListener("abort", stop);
        const closed = notificationLine("consent.closed", { request_id: requestId, session_id: sessionId });
        for (const client of asked) client.notify(closed);
        resolve(answer);
      };
      const stop = () => settle({ answer: "refuse", reason: "the run was cancelled" });
      this.#pending.set(requestId, { line, sessionId, asked, settle });
      signal.addEventListener("abort", stop, { once: true });
      for (const client of asked) client.notify(line);
    });
  }
}

const NOBODY = "no client of this session answers questions (consent.offer)";
