import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SLASH_INFOS } from "../packages/agent/src/commands/slash/slash-infos.ts";
import { commandsPage } from "./commands-page.ts";

test("the page of slash commands is the one that their list gives", () => {
  expect(readFileSync(join(import.meta.dir, "..", "docs", "commands.md"), "utf8")).toBe(commandsPage());
});

test("every slash command stands on the page once", () => {
  const entries = [...commandsPage().matchAll(/^- `\/([a-z]+)/gm)].map((match) => match[1]!);
  expect(entries.sort()).toEqual(SLASH_INFOS.map(({ name }) => name).sort());
});
