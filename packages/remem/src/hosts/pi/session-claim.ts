const CLAIMS = Symbol.for("agentic-remem.pi.sessions");

/**
 * True for the first copy of this extension that claims a session of this process. A second one (installed as a package and given with `-e`)
 * leaves the session alone: everything would be recalled and captured twice.
 */
export function claimSession(session: object): boolean {
  const place = globalThis as { [CLAIMS]?: WeakSet<object> };
  place[CLAIMS] ??= new WeakSet();
  if (place[CLAIMS].has(session)) return false;
  place[CLAIMS].add(session);
  return true;
}

/** Lets go of it, so that the next one that is loaded for the same session can claim it. */
export function releaseSession(session: object): void {
  (globalThis as { [CLAIMS]?: WeakSet<object> })[CLAIMS]?.delete(session);
}
