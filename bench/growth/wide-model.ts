import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";

/** Gives the workspace's user a model whose window takes everything, so that nothing is summed up on the way; its flag. */
export function wideModel(space: Workspace, url: string): readonly string[] {
  const bench = {
    baseUrl: `${url}/v1`,
    wire: "openai-responses",
    apiKey: "bench-key-0123456789",
    models: [{ id: "wide", contextWindow: 100_000_000, maxOutput: 100_000 }],
  };
  space.write(join(space.home, ".pi-go", "config.json"), JSON.stringify({ providers: { bench } }));
  return ["--model", "bench/wide"];
}
