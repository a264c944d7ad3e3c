import type { PlanEntry } from "@agentclientprotocol/sdk";

/** A plan longer than this is no list that anyone looks at. */
const MOST = 200;

/** The plan of a spec (`specs/NAME/plan.md`). */
export function isPlanFile(path: string): boolean {
  return /(?:^|[\\/])specs[\\/][^\\/]+[\\/]plan\.md$/.test(path);
}

/**
 * The steps of a plan's checklist (`- [ ] Slice 1: …`), as an editor shows them: a ticked one is done, and the first that is not is
 * the one at hand. Indented entries belong to the one above them and are left out.
 */
export function planEntries(text: string): PlanEntry[] {
  const entries: PlanEntry[] = [];
  for (const [, mark, content] of text.matchAll(/^[-*] \[([ xX])\] (.+)$/gm)) {
    if (entries.length === MOST) break;
    entries.push({
      content: content!.trim(),
      priority: "medium",
      status: mark === " " ? "pending" : "completed",
    });
  }
  const next = entries.find(({ status }) => status === "pending");
  if (next !== undefined && entries.some(({ status }) => status === "completed")) next.status = "in_progress";
  return entries;
}
