import { expect, test } from "bun:test";
import { type LaterName, notYet } from "./later-commands.ts";
import { run } from "./test-support/run-command.ts";

const LATER: LaterName[] = ["plan", "run", "login"];

test.each(LATER)("/%s says in one sentence that it is not there, and what to do instead", async (name) => {
  const { said, failed } = await run(notYet(name), "", {});
  expect(failed).toBe(true);
  expect(said).toStartWith(`/${name} is not part of this version: `);
  expect(said.split("\n")).toHaveLength(1);
});

test("/login names the variables and the file for a key", async () => {
  const { said } = await run(notYet("login"), "", {});
  for (const word of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "~/.pi-go/.env"])
    expect(said).toContain(word);
});
