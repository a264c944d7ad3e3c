import { bounded } from "../shared/host-guard.ts";
import type { HostClient, HostSession } from "./host-types.ts";

/** The host answers from its own process. */
const ANSWER_MS = 200;
const MOST_SESSIONS = 5_000;

/** Knows which sessions work for another one: from the host's events, else by asking it. */
export class SessionParents {
  readonly #client: HostClient;
  readonly #known = new Map<string, string | null>();

  constructor(client: HostClient) {
    this.#client = client;
  }

  /** The host told of a session. */
  learn({ id, parentID }: HostSession): void {
    this.#known.set(id, parentID ?? null);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MOST_SESSIONS && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  /** The parent of a session; null: it has none; undefined: the host did not say. */
  async of(id: string): Promise<string | null | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const asked = await bounded(ANSWER_MS, undefined, () => this.#client.session.get({ path: { id } }));
    if (asked.outcome !== "ok" || asked.value.data === undefined) return undefined;
    this.learn(asked.value.data);
    return asked.value.data.parentID ?? null;
  }
}
