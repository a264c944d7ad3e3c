import type { SessionMeta } from "../contract/session.ts";

/** A session as lists give it. */
export interface ListedSession extends SessionMeta {
  /** The program that it belongs to, when that is not this one: opening it imports it. */
  foreign?: "pi-go";
}
