const CLAIMS = Symbol.for("agentic-remem.opencode.instances");

/**
 * True for the first copy of this plugin that claims an instance of the host. A second one (in the user's settings and in a project's)
 * leaves it alone: everything would be recalled and captured twice.
 */
export function claimInstance(instance: object): boolean {
  const place = globalThis as { [CLAIMS]?: WeakSet<object> };
  place[CLAIMS] ??= new WeakSet();
  if (place[CLAIMS].has(instance)) return false;
  place[CLAIMS].add(instance);
  return true;
}
