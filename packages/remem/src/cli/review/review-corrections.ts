import type { CorrectionRecord } from "../../core/ports/engine-state.ts";
import type { CommandCall } from "../command.ts";
import { render } from "../output/render.ts";
import { actorOf } from "../person.ts";
import { ask } from "./ask.ts";

/** Shows open corrections one after the other, checks each on a copy, and lets a person decide. Gives how many were settled. */
export async function reviewCorrections(
  { world, memory }: CommandCall,
  corrections: readonly CorrectionRecord[],
): Promise<number> {
  if (corrections.length === 0) return 0;
  const queue = await memory.corrections();
  const actor = actorOf(world);
  let settled = 0;
  for (const [index, waiting] of corrections.entries()) {
    const checked = await queue.validate(waiting.id, world.signal);
    const valid = checked.state === "validated";
    await world.output.out(
      render(
        [
          `\nCorrection ${index + 1} of ${corrections.length}`,
          {
            head: [],
            rows: [
              ["prompt", checked.prompt],
              ["right is", checked.statement],
              ["wrong were", checked.disputed.join(", ") || "no memories were named"],
              [
                "check",
                valid
                  ? "it is recalled for this prompt, and earlier corrections still hold"
                  : checked.findings.join("; "),
              ],
            ],
          },
        ],
        world.output,
      ),
    );
    const answer = await ask(
      world,
      valid ? "a apply, r reject, s skip, q quit: " : "r reject, s skip, q quit: ",
      valid ? "arsq" : "rsq",
    );
    if (answer === "q") return settled;
    if (answer === "a") await queue.approve(checked.id, checked.revision, actor);
    if (answer === "r") await queue.reject(checked.id, checked.revision, actor);
    if (answer !== "s") settled++;
  }
  return settled;
}
