import type { AgentEvent } from "../../contract/events.ts";
import type { HubSession } from "../../contract/session-hub.ts";
import { eventLine, notificationLine, promptParams } from "./event-lines.ts";

/** What one client hears of one session: all of it (subscribed), or the runs that it has begun. */
export class SessionInterest {
  readonly session: HubSession;
  readonly #send: (line: string) => void;
  readonly #onIdle: () => void;
  readonly #leave: readonly (() => void)[];
  #subscribed = false;
  #running = false;
  /** Prompts whose answer has not been sent: what they bring waits for it. */
  #unanswered = 0;
  #held: string[] = [];

  constructor(session: HubSession, ports: { send(line: string): void; onIdle(): void }) {
    this.session = session;
    this.#send = ports.send;
    this.#onIdle = ports.onIdle;
    this.#leave = [
      session.subscribe((event) => this.#hear(event)),
      session.watch((message) => {
        // Whoever sent the prompt knows it.
        const own = this.#running && message.role === "user" && message.origin === "user";
        const params = this.#subscribed && !own ? promptParams(session.id, message) : undefined;
        if (params !== undefined) this.#tell(notificationLine("event", params));
      }),
      session.whenClosed(() => this.#closed()),
    ];
  }

  /** It listens to all of the session, or sees a run of its own. */
  get active(): boolean {
    return this.#subscribed || this.#running;
  }

  set subscribed(on: boolean) {
    this.#subscribed = on;
    this.#restIfIdle();
  }

  /** The next run is this client's. `failed`: there is none after all; `answered`: the answer has been sent. */
  begin(): { failed(): void; answered(): void } {
    const before = this.#running;
    this.#running = true;
    this.#unanswered++;
    return {
      failed: () => {
        this.#running = before;
        // Events of another one's run, which this client has not asked for.
        if (!this.active) this.#held = [];
      },
      answered: () => {
        if (--this.#unanswered > 0) return;
        for (const line of this.#held.splice(0)) this.#send(line);
        this.#restIfIdle();
      },
    };
  }

  leave(): void {
    for (const leave of this.#leave) leave();
  }

  #hear(event: AgentEvent): void {
    if (!this.active) return;
    this.#tell(eventLine(this.session.id, event));
    if (event.type !== "message_end") return;
    this.#running = false;
    this.#restIfIdle();
  }

  /** Another client, or the end of the server, has closed it. */
  #closed(): void {
    if (this.#subscribed) this.#tell(notificationLine("session.closed", { session_id: this.session.id }));
    this.#subscribed = false;
    this.#running = false;
    this.#restIfIdle();
  }

  #tell(line: string): void {
    if (this.#unanswered === 0) this.#send(line);
    else this.#held.push(line);
  }

  #restIfIdle(): void {
    if (!this.active && this.#unanswered === 0) this.#onIdle();
  }
}
