import { expect, test } from "bun:test";
import { withoutAgentWords } from "./editor-login.ts";

test.each([
  [["acp", "login"], ["login"]],
  [
    ["acp", "--model", "x", "login", "openai"],
    ["login", "openai"],
  ],
  [["--mode", "acp", "login"], ["login"]],
  [["--mode=acp", "login"], ["login"]],
  [["acp"], ["acp"]],
  [["login"], ["login"]],
  [
    ["-p", "login"],
    ["-p", "login"],
  ],
  [
    ["fix", "the", "acp", "login"],
    ["fix", "the", "acp", "login"],
  ],
])("%j is run as %j", (argv, expected) => {
  expect(withoutAgentWords(argv)).toEqual(expected);
});
