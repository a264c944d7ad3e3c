/** `pi acp` in a pipe, without an editor that stays. */
import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { pi } from "./support/pi.ts";

test("a script that writes its requests and closes the pipe reads all answers", async () => {
  await using ws = await workspace();
  const stdin = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 2, method: "session/list", params: {} },
  ].map((message) => `${JSON.stringify(message)}\n`);
  const { stdout, code } = await pi(ws, ["acp"], { stdin: stdin.join("") });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);
  expect(code).toBe(0);
});
