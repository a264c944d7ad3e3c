import { expect, test } from "bun:test";
import { restartArguments } from "./restart.ts";

test("a restart comes back with the conversation, the flags, and without the prompt that was sent", () => {
  const argv = ["--model", "openai/gpt-5", "fix", "-c", "--sandbox", "off", "the", "test"];
  expect(restartArguments(argv, ["fix", "the", "test"], "abc")).toEqual([
    "--model",
    "openai/gpt-5",
    "--sandbox",
    "off",
    "--session",
    "abc",
  ]);
});

test("a flag's value that is also a word of the prompt stays with its flag", () => {
  expect(restartArguments(["--sandbox", "off", "off"], ["off"], null)).toEqual(["--sandbox", "off"]);
});

test("what chose the session before, or named it, is left out", () => {
  expect(restartArguments(["--session", "old", "--name=x", "--debug", "--", "-x"], ["-x"], "new")).toEqual([
    "--debug",
    "--session",
    "new",
  ]);
});
