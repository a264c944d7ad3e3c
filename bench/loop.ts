import { workspace } from "@pi-ts/testkit";
import { type Cost, compare, median, runOnce } from "./measure.ts";
import { type Figure, ms } from "./report.ts";
import { benchService, prompt } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

/** A loop of many steps, each one model call and one bash command, unconfined and confined; the start is subtracted. */
export async function benchLoop(runs: number, steps: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  const work = prompt(
    Array.from({ length: steps }, (_, index) => ({ name: "bash", input: { command: `echo step ${index}` } })),
  );
  const costs = await compare(runs, {
    node: () => runOnce({ argv: ["node", "-e", "0"], cwd: space.path, environment: space.env() }),
    bash: () => runOnce({ argv: ["bash", "-c", ":"], cwd: space.path, environment: space.env() }),
    idle: run(service.url, ["-p", "hi"]),
    off: run(service.url, ["--sandbox", "off", "-p", work]),
    confined: run(service.url, ["-p", work]),
  });
  const wall = (name: string) => median(costs[name]!.map((cost) => cost.wallMs));
  const beside = `node -e 0: ${ms(wall("node"))}, bash -c : alone: ${ms(wall("bash"))}`;
  const figure = (name: string, value: number, goal: number): Figure => ({
    name: `${name} (${steps} steps)`,
    value: ms(value),
    beside,
    goal: `≤ ${goal} ms`,
    met: value <= goal,
  });
  return [
    figure("step with bash, --sandbox off", (wall("off") - wall("idle")) / steps, 4),
    figure("step with bash, confined", (wall("confined") - wall("idle")) / steps, 9),
  ];
}

/** Each in a home of its own: memory takes up what a run has left in the next one, and that is no cost of a step. */
function run(url: string, words: readonly string[]): () => Promise<Cost> {
  return async () => {
    await using space = await workspace({ "a.txt": "one\n" });
    return await runOnce(piCommand(space, url, [...MODEL, ...words]));
  };
}
