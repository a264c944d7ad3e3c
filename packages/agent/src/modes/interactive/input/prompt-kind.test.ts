import { expect, test } from "bun:test";
import { promptKind } from "./prompt-kind.ts";

test("the start of the text says what it is", () => {
  const table = [
    ["", "prompt"],
    ["hello /help", "prompt"],
    ["/help", "command"],
    [" /help me", "command"],
    ["/", "command"],
    ["/help\nmore", "command"],
    ["/usr/bin/env", "prompt"],
    ["/ help", "prompt"],
    ["!ls", "shell"],
    [" !!ls", "shell-private"],
    ["[paste #1 +20 lines]", "prompt"],
  ] as const;
  for (const [text, kind] of table) expect([text, promptKind(text)]).toEqual([text, kind]);
});
