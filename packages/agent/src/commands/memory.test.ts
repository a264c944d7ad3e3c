import { expect, test } from "bun:test";
import { findCommand } from "../cli/sub-commands.ts";
import { memoryCommand } from "./memory.ts";

test("words and options after `memory` go to remem as they stand, and its exit code comes back", async () => {
  const found = (await findCommand(["memory", "list", "--json", "--kind", "fact", "--", "-p"]))!;
  expect(found.command.name).toBe("memory");
  expect(found.rest).toEqual([]);
  const seen: (readonly string[])[] = [];
  const memory = {
    run: async (argv: readonly string[]) => {
      seen.push(argv);
      return 3;
    },
  };
  const result = await memoryCommand.run(found.parsed, { memory }, new AbortController().signal);
  expect(result).toEqual({ exitCode: 3, blocks: [] });
  expect(seen).toEqual([["list", "--json", "--kind", "fact", "--", "-p"]]);
});

test("a sentence that begins with the word is a prompt", async () => {
  expect(await findCommand(["memory", "leaks", "in", "the", "parser"])).toBeNull();
  expect(await findCommand(["memory", "-p"])).toBeNull();
  expect((await findCommand(["memory"]))?.command.name).toBe("memory");
  expect((await findCommand(["memory", "--help"]))?.command.name).toBe("memory");
});
