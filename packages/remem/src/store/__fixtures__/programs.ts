import { spawnSync } from "node:child_process";
import { testNode } from "@pi-ts/testkit";

/** Node runs TypeScript by itself, and has SQLite, from here on. */
const LEAST_NODE = [22, 19] as const;

/** Bun, and a Node that is new enough: that of `test-programs/`, or what is installed, or REMEM_TEST_NODE. */
export function runtimes(): string[][] {
  const node = process.env["REMEM_TEST_NODE"] ?? testNode() ?? "node";
  const version = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout ?? "";
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  const usable = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return [[process.execPath, "--no-env-file", "run"], ...(usable ? [[node, "--no-warnings"]] : [])];
}

/** The lines of a stream, as they come. */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
