/** The commands of `remem` that the documents show, run as they stand there. */
import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { COMMANDS } from "../packages/remem/src/cli/command-table.ts";
import { ROOT } from "./support/pi.ts";
import { ON_BUN } from "./support/remem.ts";

const page = (name: string) => readFileSync(join(ROOT, "docs", `${name}.md`), "utf8");
const PAGE = page("remem");
const BLOCKS = ["remem", "pi", "opencode"].flatMap((name) =>
  [...page(name).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => [name, block!.trim()] as const),
);
/** OpenCode's registration asks whether npm's registry can be reached; nobody listens there. */
const NO_REGISTRY = { npm_config_registry: "http://127.0.0.1:9/" };

describe.skipIf(process.platform === "win32")("the documents about memory", () => {
  test.each(BLOCKS)("docs/%s.md: what it shows runs:\n%s", async (_, block) => {
    await using ws = await workspace({}, { git: true });
    const quoted = ON_BUN.command!.map((word) => `'${word}'`).join(" ");
    ws.write("bin/remem", `#!/bin/sh\nexec ${quoted} "$@"\n`);
    chmodSync(ws.at("bin/remem"), 0o700);
    const before = 'remem add "the port is 8080" >/dev/null';
    const result = await runProcess(["sh", "-ec", `${before}\n${block}`], {
      cwd: ws.path,
      env: ws.env({ PATH: `${ws.at("bin")}:${ws.env()["PATH"]}`, ...NO_REGISTRY }),
    });
    expect({ block, code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
      block,
      code: 0,
      stderr: "",
    });
  });

  test("docs/remem.md names every command", () => {
    for (const name of Object.keys(COMMANDS)) expect(PAGE).toMatch(new RegExp(`\`${name}[ \`]`));
  });

  test("docs/remem.md names every field that a memory has in JSON", async () => {
    await using ws = await workspace({});
    const run = (...argv: string[]) =>
      runProcess([...ON_BUN.command!, ...argv], { cwd: ws.path, env: ws.env() });
    await run("add", "one");
    const { data } = JSON.parse((await run("list", "--json")).stdout) as { data: { memories: [object] } };
    for (const field of Object.keys(data.memories[0])) expect(PAGE).toContain(`\`${field}\``);
  });
});
