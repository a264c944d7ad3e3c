import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { modelServer, runProcess, say, workspace } from "@pi-ts/testkit";

const root = join(import.meta.dir, "..");
const built = join(root, "dist", process.platform === "win32" ? "pi.exe" : "pi");
const pages = ["README.md", "AGENTS.md", "ARCHITECTURE.md", "CHANGELOG.md"]
  .concat(
    readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
  )
  .filter((name) => name.endsWith(".md"));

/** Lines of shell blocks, and `…` spans in running text that begin with a command of ours. */
function commands(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/```(?:sh|bash)\n([\s\S]*?)```/g)].flatMap((block) =>
    block[1]!.split("\n"),
  );
  const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map((span) => span[1]!);
  return [...blocks, ...spans]
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.includes("…") && !line.includes("<"));
}

/** `pi …` as a word of its own, also at the end of a pipe. */
const startsPi = (line: string) => /(^|\| )(npx )?pi( |$)/.test(line) || line.startsWith("npm start");

describe("the commands that the documents show", () => {
  const shown = new Set(pages.flatMap((page) => commands(page).filter(startsPi)));
  // A bare name stands for the command in a sentence; a prompt of its own makes it a run.
  const runs = [...shown].filter((line) => !/^((npx )?pi( -c| -p)?|npm start)$/.test(line));

  for (const line of runs)
    test(line, async () => {
      await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
      await using server = await modelServer();
      server.otherwise(() => [say("an answer")]);
      ws.write("bin/pi", `#!/bin/sh\nexec "${built}" "$@"\n`);
      const command = line.replace(/^npm start --/, "pi").replace(/\bnpx pi\b/, "pi");
      const before = command.includes(" -c ") ? "pi -p first >/dev/null; " : "";
      const result = await runProcess(
        ["bash", "-c", `set -o pipefail; chmod +x bin/pi; ${before}${command}`],
        {
          cwd: ws.path,
          env: ws.env({
            PATH: `${join(ws.path, "bin")}:${ws.env()["PATH"]}`,
            ANTHROPIC_API_KEY: "docs-key-0123456789",
            ANTHROPIC_BASE_URL: server.baseUrl("anthropic"),
            OPENAI_API_KEY: "docs-key-0123456789",
            OPENAI_BASE_URL: server.baseUrl("openai-responses"),
          }),
        },
      );
      expect({ line, code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
        line,
        code: 0,
        stderr: "",
      });
    });
});

test("every npm script that the documents show exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = pages
    .flatMap(commands)
    .flatMap((line) => /^npm (?:run )?([a-z0-9]+)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== "install" && name !== "ci");
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test("every link to a file of the repository leads to one", () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map((link) => link[1]!)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("the example configuration of the README is taken without a warning", async () => {
  const example = /```jsonc\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))![1]!;
  await using ws = await workspace({});
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(join(ws.home, ".pi-go"), { mode: 0o700 });
  writeFileSync(join(ws.home, ".pi-go", "config.json"), example);
  const result = await runProcess([built, "doctor", "--json"], { cwd: ws.path, env: ws.env() });
  const { checks } = JSON.parse(result.stdout) as {
    checks: { name: string; state: string; found: string }[];
  };
  expect(checks.filter((check) => check.name === "configuration")).toEqual([
    { name: "configuration", state: "ok", found: "no problems" },
  ]);
  expect(checks.find((check) => check.name === "model")).toMatchObject({ state: "ok" });
});
