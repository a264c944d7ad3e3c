import { phaseOfFile } from "./phases.ts";
import { APPROVALS, type Spec } from "./spec.ts";

/**
 * Why the model may not write a file below `specs/` now: what a person has approved is theirs to say, and the artifact of a later phase
 * comes after the approval of the ones before. `spec`: the one that is planned; null: none.
 */
export function specProblem(path: string, spec: Spec | null): string | undefined {
  const [name, ...rest] = path.split("/");
  const file = rest.join("/");
  if (file === APPROVALS)
    return `specs/${path} is where approvals are kept; the person gives them with /plan approve`;
  if (spec === null || name !== spec.name) return undefined;
  const phase = phaseOfFile(file);
  const current = spec.phase;
  if (phase === undefined || current === null || phase.number <= current.number) return undefined;
  return `specs/${path} belongs to phase ${phase.number} (${phase.title}), and phase ${current.number} (${current.title}) is not approved yet`;
}
