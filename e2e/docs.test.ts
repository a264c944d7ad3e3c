import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, modelServer, runProcess, say, type Workspace, workspace } from "@pi-ts/testkit";
import { FLAGS } from "../packages/agent/src/cli/flag-table.ts";
import { commandList } from "../packages/agent/src/cli/sub-commands.ts";
import { COMMANDS as REMEM_COMMANDS } from "../packages/remem/src/cli/command-table.ts";

const root = join(import.meta.dir, "..");
const built = join(root, "dist", process.platform === "win32" ? "pi.exe" : "pi");
const pages = ["README.md", "AGENTS.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]
  .concat(
    readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
  )
  .filter((name) => name.endsWith(".md"));

/** Commands that cannot be run as they stand, and what runs them instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "pi login": "asks a person: e2e/login.test.ts, e2e/interactive/login.test.ts",
  "pi logout": "nobody is logged in here: e2e/login.test.ts",
  "pi --session ID": "opens the terminal program: e2e/interactive/",
  "pi --mode rpc": "serves until it is told to end: e2e/rpc.test.ts",
  "pi run SPEC": "needs a spec: e2e/plan-run.test.ts",
};

const text = (page: string) => readFileSync(join(root, page), "utf8");
const blocks = (page: string, languages: string) =>
  [...text(page).matchAll(new RegExp(`\`\`\`(?:${languages})\\n([\\s\\S]*?)\`\`\``, "g"))].flatMap((block) =>
    block[1]!.split("\n"),
  );
const spans = (page: string) =>
  [
    ...text(page)
      .replace(/```[\s\S]*?```/g, "")
      .matchAll(/`([^`\n]+)`/g),
  ].map((span) => span[1]!);
const withoutRemark = (line: string) => line.replace(/\s+#.*$/, "").trim();

/** Lines of shell blocks, and `…` spans in running text. What is left open in them (an ellipsis, `<name>`, `a|b`) cannot be run. */
function commands(page: string): string[] {
  return [...blocks(page, "sh|bash"), ...spans(page)]
    .map(withoutRemark)
    .map((line) => line.replaceAll('"…"', '"hello"'))
    .filter((line) => line !== "" && !/…|<|\w\|\w/.test(line));
}

/** `pi …` as a word of its own, also at the end of a pipe. */
const startsPi = (line: string) => /(^|\| )(npx )?pi( |$)/.test(line) || line.startsWith("npm start");

/** A project with one session and the extension of docs/extensions.md, and the built `pi` in the PATH. */
async function shell(ws: Workspace, server: ModelServer) {
  ws.write("bin/pi", `#!/bin/sh\nexec "${built}" "$@"\n`);
  ws.write(
    join(ws.home, ".pi-go", "extensions", "hello.ts"),
    blocks(join("docs", "extensions.md"), "ts").join("\n"),
  );
  const env = ws.env({
    PATH: `${join(ws.path, "bin")}:${ws.env()["PATH"]}`,
    ANTHROPIC_API_KEY: "docs-key-0123456789",
    ANTHROPIC_BASE_URL: server.baseUrl("anthropic"),
    OPENAI_API_KEY: "docs-key-0123456789",
    OPENAI_BASE_URL: server.baseUrl("openai-responses"),
  });
  const run = (script: string) =>
    runProcess(["bash", "-c", `set -o pipefail; chmod +x bin/pi; ${script}`], { cwd: ws.path, env });
  const first = await run("pi -p first >/dev/null && pi sessions list --json");
  const { sessions } = JSON.parse(first.stdout) as { sessions: { id: string }[] };
  return { run, session: sessions[0]!.id };
}

describe("the commands that the documents show", () => {
  const shown = new Set(pages.flatMap((page) => commands(page).filter(startsPi)));
  // A bare name stands for the command in a sentence; a prompt of its own makes it a run.
  const runs = [...shown].filter((line) => !/^((npx )?pi( -c| -p)?|npm start)$/.test(line));

  for (const line of runs.filter((each) => !Object.hasOwn(ELSEWHERE, each.replace(/^npx /, ""))))
    test(line, async () => {
      await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
      await using server = await modelServer();
      server.otherwise(() => [say("an answer")]);
      const { run, session } = await shell(ws, server);
      const command = line
        .replace(/^npm start --/, "pi")
        .replace(/\bnpx pi\b/, "pi")
        .replace(/\bID\b/, session)
        .replace(/\bCOMMAND\b/, "models");
      const result = await run(command);
      expect({ line, code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
        line,
        code: 0,
        stderr: "",
      });
    });

  test("those that are run elsewhere are still shown", () => {
    expect(Object.keys(ELSEWHERE).filter((line) => !runs.includes(line))).toEqual([]);
  });

  test("the extension of docs/extensions.md is the command that the page says it is", async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    server.otherwise(() => [say("an answer")]);
    const { run } = await shell(ws, server);
    expect((await run('pi -p "/hello you"')).stdout).toContain("Hello you");
  });
});

describe("what the documents show of command lines", async () => {
  const ours = new Map(
    (await commandList()).map(({ name, options }) => [name, options.map((each) => each.name)]),
  );
  const theirs = new Map(
    await Promise.all(
      Object.entries(REMEM_COMMANDS).map(
        async ([name, load]) => [name, Object.keys((await load()).options)] as const,
      ),
    ),
  );
  const general = [...FLAGS.map(({ name }) => name as string), "help"];

  /** Also of blocks of usage, and with what is left open in them. */
  const lines = [
    ...new Set(
      pages
        .flatMap((page) => [...blocks(page, "|text|sh|bash"), ...spans(page)])
        .map(withoutRemark)
        .flatMap((line) => /(?:^|\| )(?:npx )?((?:pi|remem) .+)$/.exec(line)?.[1] ?? []),
    ),
  ];

  test("there are many", () => expect(lines.length).toBeGreaterThan(60));

  test.each(lines)("%s: every option exists", (line) => {
    const [program, first = "", second = ""] = line.split(" ");
    const named = [...line.replace(/"[^"]*"/g, "").matchAll(/(?<=[ [])--([a-z][a-z-]*)/g)].map(
      (match) => match[1]!,
    );
    const engine = program === "remem" ? first : first === "memory" ? second : undefined;
    const known =
      engine === undefined
        ? [...general, ...(ours.get(first) ?? [])]
        : [...(theirs.get(engine) ?? []), "json", "help", "version"];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** Commands of npm itself. */
const OF_NPM = new Set(["exec", "install", "ci", "pack", "publish"]);

test("every npm script that the documents show exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = pages
    .flatMap(commands)
    .flatMap((line) => /^npm (?:run )?([a-z0-9]+)/.exec(line)?.[1] ?? [])
    .filter((name) => !OF_NPM.has(name));
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
