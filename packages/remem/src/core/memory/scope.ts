/** Where a memory holds. Everything but `global` names what it belongs to: a folder, a project key or a session id. */
export type MemoryScope =
  | { readonly kind: "global" }
  | { readonly kind: "workspace" | "project" | "session"; readonly id: string };

export type ScopeKind = MemoryScope["kind"];

/** The one text a scope is stored and compared by. Throws a RangeError for a scope without its id: it would reach everybody. */
export function scopeKey(scope: MemoryScope): string {
  if (scope.kind === "global") return "global";
  if (scope.id === "")
    throw new RangeError(
      `a memory of scope "${scope.kind}" needs an id, and it is empty: name the ${scope.kind}`,
    );
  return `${scope.kind}:${scope.id}`;
}

/** The scope that `scopeKey` wrote. */
export function parseScopeKey(key: string): MemoryScope {
  const colon = key.indexOf(":");
  const kind = colon < 0 ? key : key.slice(0, colon);
  if (kind === "global") return { kind };
  if ((kind === "workspace" || kind === "project" || kind === "session") && colon > 0)
    return { kind, id: key.slice(colon + 1) };
  throw new RangeError(`"${key}" is no scope: expected global, or workspace, project or session with an id`);
}

/** The same; undefined for a text that no scope gives. */
export function tryParseScopeKey(key: string): MemoryScope | undefined {
  try {
    return parseScopeKey(key);
  } catch {
    return undefined;
  }
}
