import { phaseOfFile } from "./phases.ts";
import type { PlannedSpec } from "./planned-spec.ts";

/**
 * Why the model may not write a file below `specs/` now: the artifact of a later phase comes after the approval of the ones before.
 * `spec`: the one that is planned; null: none.
 */
export function specProblem(path: string, spec: PlannedSpec | null): string | undefined {
  const [name, ...rest] = path.split("/");
  const file = rest.join("/");
  if (spec === null || name !== spec.name) return undefined;
  const phase = phaseOfFile(file);
  const current = spec.phase;
  if (phase === undefined || current === null || phase.number <= current.number) return undefined;
  return `specs/${path} belongs to phase ${phase.number} (${phase.title}), and phase ${current.number} (${current.title}) is not approved yet`;
}
