import { isMemoryKind } from "../../core/memory/record.ts";
import { tryParseScopeKey } from "../../core/memory/scope.ts";

/** How many memories of these scopes and kinds cannot be read, in words; undefined when all can. */
export function unreadable(
  groups: readonly { readonly scope: string; readonly kind: string; readonly memories: number }[],
): string | undefined {
  const wrong = groups.filter(
    ({ scope, kind }) => tryParseScopeKey(scope) === undefined || !isMemoryKind(kind),
  );
  const count = wrong.reduce((sum, { memories }) => sum + memories, 0);
  return count === 0 ? undefined : `rows: ${count} memories have a scope or a kind that is not known`;
}
