import { expect, test } from "bun:test";
import type { ParsedArguments } from "../contract/command.ts";
import { type RunSpecRequest, runSpecCommand } from "./run.ts";

const SIGNAL = new AbortController().signal;

async function run(parsed: Partial<ParsedArguments>): Promise<RunSpecRequest[]> {
  const asked: RunSpecRequest[] = [];
  const ports = { run: { spec: async (request: RunSpecRequest) => asked.push(request) } };
  await runSpecCommand.run({ words: ["files"], options: {}, ...parsed }, ports, SIGNAL);
  return asked;
}

test("pi run takes one spec and its options; more words are a prompt [A-SOP-04]", async () => {
  expect(await run({ options: { yes: true, retries: "0", "gate-timeout": "90" } })).toEqual([
    { spec: "files", yes: true, fresh: false, retries: 0, gateSeconds: 90 },
  ]);
  expect(await run({})).toEqual([
    { spec: "files", yes: false, fresh: false, retries: null, gateSeconds: null },
  ]);
  expect(runSpecCommand.accepts({ words: ["the", "tests"], options: {} })).toBe(false);
  expect(runSpecCommand.accepts({ words: [], options: {} })).toBe(false);
});

test.each([
  ["retries", "21"],
  ["retries", "-1"],
  ["gate-timeout", "0"],
  ["gate-timeout", "1.5"],
])("--%s %s is a usage error that names the value", async (name, value) => {
  const failed = run({ options: { [name]: value } });
  expect(failed).rejects.toMatchObject({ code: "usage", exitCode: 2 });
  await failed.catch((thrown: Error) => expect(thrown.message).toContain(`"${value}"`));
});
