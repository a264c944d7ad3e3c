import { call, type ModelServer, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { compare, median, runOnce } from "./measure.ts";
import { type Figure, ms } from "./report.ts";
import { MODEL, piCommand } from "./subject.ts";

/** A loop of many steps, each one model call and one bash command, unconfined and confined; the start is subtracted. */
export async function benchLoop(runs: number, steps: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using server = await modelServer();
  server.otherwise((request) =>
    request.userTexts.some((text) => text.includes("take-the-steps")) && request.results.length < steps
      ? [call("bash", { command: `echo step ${request.results.length}` })]
      : [say("done")],
  );
  const costs = await compare(runs, {
    idle: run(space, server, ["-p", "hi"]),
    off: run(space, server, ["--sandbox", "off", "-p", "take-the-steps"]),
    confined: run(space, server, ["-p", "take-the-steps"]),
  });
  const wall = (name: string) => median(costs[name]!.map((cost) => cost.wallMs));
  return [
    figure(`step with bash, --sandbox off (${steps} steps)`, (wall("off") - wall("idle")) / steps, 4),
    figure(`step with bash, confined (${steps} steps)`, (wall("confined") - wall("idle")) / steps, 9),
  ];
}

function run(space: Workspace, server: ModelServer, words: readonly string[]) {
  return () => runOnce(piCommand(space, server.url, [...MODEL, ...words]));
}

function figure(name: string, value: number, goal: number): Figure {
  return { name, value: ms(value), beside: "", goal: `≤ ${goal} ms`, met: value <= goal };
}
