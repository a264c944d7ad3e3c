import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runOnce } from "../measure.ts";
import { benchService } from "../service.ts";
import { MODEL, piCommand } from "../subject.ts";
import { fastestBySize } from "./fastest.ts";
import type { Growth, GrowthShape } from "./series.ts";

/** What a one-shot costs with so many small extensions: each has a command and listens to one event. */
export async function extensionsGrowth({ sizes, runs }: GrowthShape): Promise<Growth> {
  await using service = await benchService();
  await using stack = new AsyncDisposableStack();
  const spaces = new Map<number, Workspace>();
  for (const size of sizes) {
    const space = stack.use(await workspace({ "a.txt": "one\n" }));
    spaces.set(size, space);
    for (let index = 0; index < size; index++)
      space.write(join(space.home, ".pi-go", "extensions", `small-${index}.ts`), extension(index));
  }
  const points = await fastestBySize(runs, sizes, (size) =>
    runOnce(piCommand(spaces.get(size)!, service.url, [...MODEL, "-p", "hi"])),
  );
  return {
    name: "extensions",
    sizes: "small extensions",
    series: [{ name: "one-shot start", unit: "ms", limit: "linear", points }],
  };
}

function extension(index: number): string {
  return `export default (pi) => {
  pi.registerCommand("small-${index}", { description: "Number ${index}", handler() {} });
  pi.on("agent_end", () => {});
};
`;
}
