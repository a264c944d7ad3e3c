import type { HubSession, SessionHub } from "../../contract/session-hub.ts";
import type { ConsentDesk } from "./consent-desk.ts";

/** How a new session is to be. */
export interface NewSessionParams {
  cwd?: string;
  title?: string;
  model?: string;
}

/** What all clients share. */
export interface SessionDoorParts {
  hub: SessionHub;
  desk: ConsentDesk;
  /** The folder of sessions that name none. */
  cwd: string;
  /** The model of sessions that name none, where a client has chosen it. */
  defaults: { model?: string };
}

/** The sessions of one client: opened when they are first named, each with a way to the clients that answer its questions. */
export class SessionDoor {
  readonly #parts: SessionDoorParts;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(parts: SessionDoorParts) {
    this.#parts = parts;
  }

  get defaults(): { model?: string } {
    return this.#parts.defaults;
  }

  async create(wanted: NewSessionParams): Promise<HubSession> {
    const { hub, desk, cwd, defaults } = this.#parts;
    const ask = desk.door();
    const session = await hub.create({ cwd, ...defaults, ...wanted, ask });
    ask.bind(session.id);
    return session;
  }

  /**
   * Works on the session of this id, or of the unique start of one. What a client sends for a session begins in the order in which it
   * was sent, however long the session takes to open: a cancel never overtakes its prompt.
   */
  async with<T>(id: string, work: (session: HubSession) => T): Promise<Awaited<T>> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    // Wrapped, so that the next one waits for the beginning of the work and not for its end.
    const turn = before.then(() => this.#open(id)).then((session) => ({ begun: work(session) }));
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(id, over);
    void over.then(() => this.#turns.get(id) === over && this.#turns.delete(id));
    return await (await turn).begun;
  }

  async #open(id: string): Promise<HubSession> {
    const { hub, desk } = this.#parts;
    const ask = desk.door();
    const session = await hub.open(id, { ask });
    ask.bind(session.id);
    return session;
  }
}
