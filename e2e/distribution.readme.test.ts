/** A machine with Node, npm and git, an empty home and a fresh checkout follows the README word for word. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  modelServer,
  runProcess,
  say,
  startTerminal,
  type TerminalProgram,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { ROOT } from "./support/pi.ts";

/** The lines of the first shell block below a heading, without their comments. */
function shellLines(heading: string): string[] {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  const section = text.slice(text.indexOf(`\n## ${heading}\n`));
  const block = /```sh\n([\s\S]*?)```/.exec(section)![1]!;
  return block
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** What a clone of the next commit holds: every file that git knows or would add. */
async function freshClone(ws: Workspace): Promise<string> {
  const clone = ws.at("pi-ts");
  const listed = await runProcess(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"]);
  for (const file of listed.stdout.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(clone, file));
  return clone;
}

/**
 * Tests have no network but loopback. So what npm would fetch lies there already: `npm install` compares all of it with the lock file, and
 * makes our commands in `.bin`.
 */
async function fetchedBefore(clone: string): Promise<void> {
  for (const folder of ["node_modules", "packages/agent/node_modules", "packages/remem/node_modules"]) {
    const [from, to] = [join(ROOT, folder), join(clone, folder)];
    if (!existsSync(from)) continue;
    // Names for the same files where the disk is the same, else copies.
    const linked = await runProcess(["cp", "-al", from, to]);
    if (linked.code === 0) continue;
    rmSync(to, { recursive: true, force: true });
    expect((await runProcess(["cp", "-a", from, to])).code).toBe(0);
  }
  for (const ours of ["pi", "remem"]) rmSync(join(clone, "node_modules", ".bin", ours));
  // npm takes its list of what is there for stale where it is older than the folders.
  const list = join("node_modules", ".package-lock.json");
  rmSync(join(clone, list));
  cpSync(join(ROOT, list), join(clone, list));
}

/** What a person types where a line of the README opens something. */
const BY_HAND: Readonly<Record<string, (program: TerminalProgram) => Promise<void>>> = {
  "npx pi login": async (program) => {
    await program.waitFor(/ {2}\d+ {2}Anthropic/);
    const number = /(\d+) {2}Anthropic/.exec(program.screen().join("\n"))![1]!;
    await program.waitFor(/1 to \d+:/);
    program.type(`${number}\r`);
    await program.waitFor("API key for Anthropic");
    program.type("sk-ant-readme-0123456789-abcdefghij\r");
  },
  "npm start": async (program) => {
    await program.waitFor(/claude/);
    program.type("/quit\r");
  },
};

test.skipIf(process.platform === "win32")(
  "the two minutes of the README work word for word, and npm run build makes an executable that works elsewhere [P19]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.otherwise(() => [say("It is a coding agent.")]);
    const clone = await freshClone(ws);
    await fetchedBefore(clone);
    const env: Record<string, string> = ws.env({
      ANTHROPIC_BASE_URL: server.baseUrl("anthropic"),
      npm_config_offline: "true",
      npm_config_cache: join(ws.temp, "npm"),
      npm_config_update_notifier: "false",
    });
    const run = (line: string, cwd = clone) =>
      runProcess(["bash", "-c", line], { cwd, env, timeoutMs: 600_000 });
    const seen: string[] = [];
    for (const line of shellLines("Two minutes")) {
      if (Object.hasOwn(BY_HAND, line)) {
        await using program = startTerminal(["bash", "-c", line], { cwd: clone, env, cols: 140, rows: 50 });
        await BY_HAND[line]!(program);
        expect({ line, code: (await program.exited).code }).toEqual({ line, code: 0 });
      } else {
        const { code, stdout, stderr } = await run(line);
        expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
        seen.push(stdout);
      }
    }
    const [, demo, answer] = seen;
    expect(demo).toContain("all tests pass");
    expect(answer).toContain("It is a coding agent.");

    expect(shellLines("Developing").map((line) => line.replace(/^npm (run )?/, ""))).toContain("build");
    expect(await run("npm run build")).toMatchObject({ code: 0 });
    cpSync(join(clone, "dist", "pi"), ws.at("bin/pi"));
    rmSync(clone, { recursive: true, force: true });
    env["PATH"] = `${ws.at("bin")}:${env["PATH"]}`;
    expect(await run("pi -p hi", ws.path)).toMatchObject({ code: 0, stdout: "It is a coding agent.\n" });
  },
);
