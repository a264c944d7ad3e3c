import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FLAGS } from "../packages/agent/src/cli/flag-table.ts";
import { commandList } from "../packages/agent/src/cli/sub-commands.ts";
import { commandLinePage } from "./command-line-page.ts";

test("the page of the command line is the one that the tables give", async () => {
  const written = readFileSync(join(import.meta.dir, "..", "docs", "command-line.md"), "utf8");
  expect(written).toBe(await commandLinePage());
});

test("every command and every flag that people may use stands on the page once", async () => {
  const page = await commandLinePage();
  const headings = [...page.matchAll(/^### pi (\S+)$/gm)].map((match) => match[1]!);
  expect(headings).toEqual((await commandList()).map(({ name }) => name));
  const [, flags = ""] = /^## Options\n([\s\S]*?)^## Commands$/m.exec(page) ?? [];
  const named = [...flags.matchAll(/^- (?:`-\w`, )?`--([\w-]+)/gm)].map((match) => match[1]!);
  expect(named).toEqual(FLAGS.filter((flag) => !("hidden" in flag)).map(({ name }) => name));
});
