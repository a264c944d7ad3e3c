import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readParams } from "./params.ts";
import { NUMBERS } from "./rpc-error.ts";
import { readRpcLine } from "./rpc-message.ts";
import { RPC_METHODS } from "./rpc-server.ts";

const page = readFileSync(join(import.meta.dir, "../../../../../docs/rpc.md"), "utf8");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0]!, section] as const),
);

test("docs/rpc.md has a section for every method, and for nothing else [A-OUT-04]", () => {
  expect([...sections.keys()].sort()).toEqual([...RPC_METHODS.keys()].sort());
});

test.each([...RPC_METHODS.keys()])(
  "the example of %s is a request that the method takes, with its answer [A-OUT-04]",
  (name) => {
    const lines = /```json\n([\s\S]*?)```/.exec(sections.get(name)!)![1]!.trim().split("\n");
    const { entries } = readRpcLine(new TextEncoder().encode(lines[0]!));
    const [request] = entries;
    if (request === undefined || "problem" in request) throw new Error(`no request: ${lines[0]}`);
    expect(request.method).toBe(name);
    readParams(request.params, RPC_METHODS.get(name)!.params);
    const answer = JSON.parse(lines[1]!) as { id: unknown; result: unknown };
    expect(answer.id).toBe(request.id);
    expect(answer.result).toBeDefined();
    const text = sections.get(name)!;
    for (const param of Object.keys(RPC_METHODS.get(name)!.params))
      expect({ param, told: text.includes(`"${param}"`) || text.includes(`\`${param}`) }).toEqual({
        param,
        told: true,
      });
  },
);

test("docs/rpc.md tells every number of an error [A-OUT-04]", () => {
  for (const [reason, number] of Object.entries(NUMBERS))
    expect(page).toMatch(new RegExp(`^\\| ${number} +\\| \`${reason}\` +\\|`, "m"));
});
