import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import type { Embedder } from "../core/ports/embedder.ts";
import { HashEmbedder } from "./hash-embedder.ts";
import { StaticEmbedder } from "./static-embedder.ts";

async function likeness(embedder: Embedder, a: string, b: string): Promise<number> {
  const [x, y] = await embedder.embed([a, b], "document");
  return x!.reduce((sum, value, index) => sum + value * y![index]!, 0);
}

test("the bundled vectors put words of one meaning together", async () => {
  const embedder = new StaticEmbedder();
  expect(await likeness(embedder, "dog", "cat")).toBeGreaterThan(
    (await likeness(embedder, "dog", "parliament")) + 0.2,
  );
});

test("letter hashes put forms and misspellings of a word together, in any script", async () => {
  const embedder = new HashEmbedder();
  expect(await likeness(embedder, "configuration", "configuratoin")).toBeGreaterThan(0.4);
  expect(await likeness(embedder, "настройка", "настройки")).toBeGreaterThan(0.5);
  expect(Math.abs(await likeness(embedder, "configuration", "weather"))).toBeLessThan(0.3);
});

test("vectors have length 1, or none for a text without a known word", async () => {
  const embedders: Embedder[] = [new StaticEmbedder(), new HashEmbedder()];
  for (const embedder of embedders) {
    const [known, unknown] = await embedder.embed(["the red house", "…"], "query");
    expect(known).toHaveLength(embedder.space.dimensions);
    expect(Math.hypot(...known!)).toBeCloseTo(1, 4);
    expect(Math.hypot(...unknown!)).toBe(0);
  }
});

test("a file that was cut short is refused with its name", async () => {
  await using space = await workspace();
  const path = join(space.home, "vectors.bin");
  writeFileSync(path, "SEM1");
  await expect(new StaticEmbedder(path).embed(["x"])).rejects.toThrow(`${path} holds no word vectors`);
});
