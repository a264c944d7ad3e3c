/** The commands that docs/remem.md shows, run as they stand there. */
import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { COMMANDS } from "../packages/remem/src/cli/command-table.ts";
import { ROOT } from "./support/pi.ts";
import { ON_BUN } from "./support/remem.ts";

const PAGE = readFileSync(join(ROOT, "docs", "remem.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim());

describe.skipIf(process.platform === "win32")("docs/remem.md", () => {
  test.each(BLOCKS)("what it shows runs:\n%s", async (block) => {
    await using ws = await workspace({}, { git: true });
    const quoted = ON_BUN.command!.map((word) => `'${word}'`).join(" ");
    ws.write("bin/remem", `#!/bin/sh\nexec ${quoted} "$@"\n`);
    chmodSync(ws.at("bin/remem"), 0o700);
    const before = 'remem add "the port is 8080" >/dev/null';
    const result = await runProcess(["sh", "-ec", `${before}\n${block}`], {
      cwd: ws.path,
      env: ws.env({ PATH: `${ws.at("bin")}:${ws.env()["PATH"]}` }),
    });
    expect({ block, code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
      block,
      code: 0,
      stderr: "",
    });
  });

  test("names every command", () => {
    for (const name of Object.keys(COMMANDS)) expect(PAGE).toMatch(new RegExp(`\`${name}[ \`]`));
  });

  test("names every field that a memory has in JSON", async () => {
    await using ws = await workspace({});
    const run = (...argv: string[]) =>
      runProcess([...ON_BUN.command!, ...argv], { cwd: ws.path, env: ws.env() });
    await run("add", "one");
    const { data } = JSON.parse((await run("list", "--json")).stdout) as { data: { memories: [object] } };
    for (const field of Object.keys(data.memories[0])) expect(PAGE).toContain(`\`${field}\``);
  });
});
