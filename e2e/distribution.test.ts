/** What is published, as somebody gets it: checked files, and packages that npm installs into an empty folder with an empty home. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { executable, modelServer, runProcess, say, type Workspace, workspace } from "@pi-ts/testkit";
import { executableFault } from "../scripts/distribute/executable-format.mjs";
import {
  FOREIGN,
  FOREIGN_FETCHED,
  HERE,
  installed,
  MODERN_NODE,
  npmEnv,
  type Published,
  publish,
  readJson,
  registryWith,
} from "./support/distribution.ts";
import type { NpmRegistry } from "./support/npm-registry.ts";
import { ROOT, wireSetup } from "./support/pi.ts";

const windows = process.platform === "win32";
const { version } = readJson(join(ROOT, "packages", "agent", "package.json")) as { version: string };

/** Takes the network away, where this machine lets a test do so. */
const OFFLINE =
  process.platform === "linux" && spawnSync("unshare", ["--net", "--map-root-user", "true"]).status === 0
    ? ["unshare", "--net", "--map-root-user"]
    : [];

let published: Published;
let registry: NpmRegistry;
/** A project into which all packages were installed; tests do not change it. */
let project: Workspace;

beforeAll(async () => {
  published = await publish(...(FOREIGN_FETCHED && FOREIGN !== HERE ? [FOREIGN] : []));
  registry = await registryWith(published.npm);
  project = await installed(registry, "pi-ts", "agentic-remem");
}, 1_200_000);

afterAll(async () => {
  await project?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await published?.[Symbol.asyncDispose]();
});

/** A command of the installed packages, as `npx` starts it, on a machine with this home and no network. */
function npx(home: Workspace, words: readonly string[], node: string | null = null) {
  const env = { ...npmEnv(home, undefined, node), npm_config_offline: "true" };
  return runProcess([...OFFLINE, "npx", ...words], { cwd: project.path, env });
}

/** Links of a package's README to files that it does not bring. */
function brokenLinks(folder: string): string[] {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    .map((link) => link[1]!)
    .filter((path) => !existsSync(join(folder, path)));
}

describe("the release", () => {
  test("SHA256SUMS holds the checksum of every executable and archive, and of nothing else", () => {
    const lines = readFileSync(join(published.release, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    const listed = lines.map((line) => line.split("  ") as [string, string]);
    const files = readdirSync(published.release, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => /\/|\.(tar\.gz|zip)$/.test(name));
    expect(listed.map(([, name]) => name)).toEqual(files.sort());
    for (const [sum, name] of listed) {
      const found = createHash("sha256").update(readFileSync(join(published.release, name)));
      expect(`${name} ${found.digest("hex")}`).toBe(`${name} ${sum}`);
    }
  });

  test.skipIf(windows)(
    "the archive unpacks to executables that run, with the licences beside them",
    async () => {
      await using ws = await workspace();
      const archive = join(published.release, `pi-ts-${version}-${HERE}.tar.gz`);
      expect((await runProcess(["tar", "-xzf", archive], { cwd: ws.path })).code).toBe(0);
      const folder = ws.at(`pi-ts-${version}-${HERE}`);
      expect(readdirSync(folder).sort()).toEqual(
        ["LICENSE", "THIRD_PARTY_LICENSES.txt", "THIRD_PARTY_NOTICES.md", "pi", "remem"].sort(),
      );
      for (const program of ["pi", "remem"]) {
        const result = await runProcess([...OFFLINE, join(folder, program), "--version"], { env: ws.env() });
        expect(result).toMatchObject({ code: 0, stderr: "" });
        expect(result.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      }
    },
  );

  test("pi --version --debug names the commit it was built from, and its day", async () => {
    await using ws = await workspace();
    const pi = join(published.release, HERE, windows ? "pi.exe" : "pi");
    const result = await runProcess([pi, "--version", "--debug"], { env: ws.env() });
    const git = (...words: string[]) =>
      spawnSync("git", ["-C", ROOT, ...words], { env: { ...process.env, TZ: "UTC" } })
        .stdout.toString()
        .trim();
    const commit = git("log", "-1", "--abbrev=12", "--date=format-local:%Y-%m-%d", "--format=%h of %cd");
    const [first, build] = result.stdout.split("\n");
    expect({ first, build: build?.replace(", with changes", "") }).toEqual({
      first: version,
      build: `build ${commit === "" ? "unknown" : commit}`,
    });
  });

  test.skipIf(!FOREIGN_FETCHED || FOREIGN === HERE)(
    `executables for ${FOREIGN} have ripgrep and the vectors inside and a signature that fits${FOREIGN_FETCHED ? "" : ` (skipped: needs node scripts/distribute.mjs --fetch ${FOREIGN})`}`,
    () => {
      const bytes = readFileSync(join(published.release, FOREIGN, "pi"));
      const platform = { os: "darwin", cpu: "x64", name: FOREIGN };
      const vectors = readFileSync(join(ROOT, "packages", "remem", "assets", "static-20k.bin"));
      expect(executableFault(bytes, platform, { vectors })).toBeUndefined();
      // The check itself: one byte of the code or of what travels inside, and it is refused.
      bytes[40_000_000]! ^= 1;
      expect(executableFault(bytes, platform)).toBe("page 9765 does not fit the signature");
      expect(executableFault(bytes, { ...platform, cpu: "arm64" })).toBe(
        `it is no executable for ${FOREIGN}`,
      );
      expect(executableFault(bytes, platform, { nothing: Buffer.from("not inside: 8f2b") })).toBe(
        "nothing is not inside",
      );
      expect(executableFault(bytes.subarray(0, 3), platform)).toMatch(/^it is cut short or broken/);
    },
  );
});

test("the same commit gives the same bytes: built again elsewhere, an executable has the published checksum", async () => {
  await using ws = await workspace();
  const name = windows ? "remem.exe" : "remem";
  const script = (file: string) =>
    JSON.stringify(pathToFileURL(join(ROOT, "scripts", "distribute", file)).href);
  const code = `
    const { compileFor } = await import(${script("compile.mjs")});
    const { thisPlatform } = await import(${script("platforms.mjs")});
    compileFor("remem", thisPlatform(), ${JSON.stringify(ws.at(name))});`;
  expect((await runProcess(["node", "--input-type=module", "--eval", code])).code).toBe(0);
  const [built, given] = [ws.bytes(name), readFileSync(join(published.release, HERE, name))];
  expect(Buffer.compare(built, given)).toBe(0);
});

describe("npm install pi-ts agentic-remem in an empty folder, with install scripts forbidden", () => {
  test("fetches the executable of this platform and of no other, and no package but those needed", () => {
    const ours = registry.fetched.filter((name) => !name.startsWith("pg")).sort();
    expect(ours).toEqual(expect.arrayContaining(["agentic-remem", "pi-ts", `pi-ts-${HERE}`]));
    expect(
      readdirSync(join(project.path, "node_modules")).filter((name) => name.startsWith("pi-ts")),
    ).toEqual(["pi-ts", `pi-ts-${HERE}`]);
  });

  test("every package brings the licence, the notices, the licence texts of what is inside, and the pages it links to", () => {
    for (const name of ["pi-ts", `pi-ts-${HERE}`, "agentic-remem"]) {
      const folder = join(project.path, "node_modules", name);
      const read = (file: string) => readFileSync(join(folder, file), "utf8");
      if (!name.endsWith(HERE)) expect(brokenLinks(folder)).toEqual([]);
      expect(read("LICENSE")).toContain("MIT");
      expect(read("THIRD_PARTY_NOTICES.md")).toContain("GloVe");
      const named = [...read("THIRD_PARTY_LICENSES.txt").matchAll(/^-{80}\n\n(\S+) \d/gm)].map(
        ([, each]) => each,
      );
      expect(named).toEqual(expect.arrayContaining(["@vscode/ripgrep", "diff", "highlight.js", "pg", "zod"]));
    }
  });

  test("npx pi --version needs no network and leaves nothing in the home [P19]", async () => {
    await using home = await workspace();
    const result = await npx(home, ["pi", "--version"]);
    expect(result).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(home.snapshotOf("home")).toEqual({});
  });

  test("npx pi demo mends its project, without key and network", async () => {
    await using home = await workspace();
    const result = await npx(home, ["pi", "demo"]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("all tests pass");
  });

  test("the launcher hands on arguments, standard input and exit code", async () => {
    await using server = await modelServer();
    await using home = await workspace();
    server.reply(say("an answer"));
    const { env, model } = wireSetup(server, "anthropic");
    const pi = join(project.path, "node_modules", "pi-ts", "bin", "pi.mjs");
    const options = { cwd: home.path, env: home.env(env) };
    const asked = await runProcess(["node", pi, "--model", model, "-p", "what's $HOME?"], {
      ...options,
      stdin: "piped\n",
    });
    expect(asked).toMatchObject({ code: 0, stdout: "an answer\n" });
    expect(server.request(1).userTexts.at(-1)).toBe("what's $HOME?\n\npiped\n");
    expect((await runProcess(["node", pi, "--no-such-flag"], options)).code).toBe(2);
  });

  test("a dist/pi of the project, where a checkout would have its own, is never started [X01]", async () => {
    await using ws = await workspace({ "dist/pi": executable("#!/bin/sh\necho taken over\n") });
    cpSync(join(project.path, "node_modules"), ws.at("node_modules"), { recursive: true });
    const pi = ws.at("node_modules/pi-ts/bin/pi.mjs");
    const result = await runProcess(["node", pi, "--version"], { cwd: ws.path, env: ws.env() });
    expect(result.stdout).toBe(`${version}\n`);
  });

  test("where the platform's package was left out, pi names it and how to get it, and exits with 1", async () => {
    await using ws = await installed(registry, "pi-ts", "--omit=optional");
    const pi = ws.at("node_modules/pi-ts/bin/pi.mjs");
    const result = await runProcess(["node", pi, "--version"], { cwd: ws.path, env: ws.env() });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: "" });
    expect(result.stderr).toContain(`npm install pi-ts-${HERE}@${version}`);
  });
});

describe.skipIf(MODERN_NODE === null)(
  `agentic-remem on plain Node${MODERN_NODE === null ? " (skipped: needs Node 22.19 or npm ci --prefix test-programs)" : ""}`,
  () => {
    test("npx remem writes down, finds by its vectors, and tells its status, without a network", async () => {
      await using home = await workspace();
      const run = (...words: string[]) => npx(home, ["remem", ...words], MODERN_NODE);
      expect(await run("add", "--global", "the cat sleeps on the sofa")).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect((await run("list")).stdout).toContain("the cat sleeps on the sofa");
      const status = await run("status");
      expect({ code: status.code, stderr: status.stderr }).toEqual({ code: 0, stderr: "" });
      expect((await run("doctor")).stdout).toMatch(/vectors: static: 1 of 1/);
    });

    test("every entrance of its exports loads, and a class is the same through all of them", async () => {
      const { exports } = readJson(join(ROOT, "packages", "remem", "package.json")) as { exports: object };
      const names = Object.keys(exports).filter((name) => name !== "./package.json");
      const code = `
        for (const name of ${JSON.stringify(names)}) {
          const loaded = await import("agentic-remem" + name.slice(1));
          if (Object.keys(loaded).length === 0) throw new Error(name + " exports nothing");
        }
        const { StoreError } = await import("agentic-remem/core");
        const { openSqliteStore } = await import("agentic-remem/store/sqlite");
        try { await openSqliteStore({ path: process.cwd(), clock: Date }); } catch (error) {
          console.log(error instanceof StoreError);
        }`;
      await using home = await workspace();
      const result = await runProcess([MODERN_NODE!, "--input-type=module", "--eval", code], {
        cwd: project.path,
        env: home.env({ NODE_NO_WARNINGS: "1" }),
      });
      expect(result).toMatchObject({ code: 0, stdout: "true\n", stderr: "" });
    });

    test("its types lead to a program that is checked without a complaint", async () => {
      await using ws = await workspace({
        "a.ts":
          'import { MemoryEngine, type Hit } from "agentic-remem/core";\nimport { openMemory } from "agentic-remem/runtime";\nexport const parts: [typeof MemoryEngine, typeof openMemory, Hit | undefined] = [MemoryEngine, openMemory, undefined];\n// @ts-expect-error: no such name\nimport { nothing } from "agentic-remem/core";\n',
      });
      cpSync(join(project.path, "node_modules", "agentic-remem"), ws.at("node_modules/agentic-remem"), {
        recursive: true,
      });
      const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
      const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
      const result = await runProcess(["node", tsc, ...flags, "a.ts"], { cwd: ws.path, env: ws.env() });
      expect(result).toMatchObject({ code: 0, stdout: "" });
    });

    test("remem init --pi registers the installed package, whose extension is there", async () => {
      await using home = await workspace();
      const result = await npx(home, ["remem", "init", "--pi"], MODERN_NODE);
      expect(result.code).toBe(0);
      const settings = readJson(join(home.home, ".pi", "agent", "settings.json")) as { packages: string[] };
      const folder = realpathSync(join(project.path, "node_modules", "agentic-remem"));
      expect(settings.packages).toEqual([folder]);
      expect(existsSync(join(folder, "dist", "hosts", "pi.js"))).toBe(true);
    });
  },
);

test("a Node that is too old for agentic-remem is told so in two lines", async () => {
  await using ws = await workspace();
  const remem = join(project.path, "node_modules", "agentic-remem", "bin", "remem.mjs");
  // What this Node says of itself is all that the launcher can look at.
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.5" } });`;
  ws.write("old.cjs", old);
  const result = await runProcess(["node", "--require", ws.at("old.cjs"), remem, "status"], {
    env: ws.env(),
  });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: "" });
  expect(result.stderr).toMatch(/^remem: Node 20\.19\.5 is too old[\s\S]*22\.19/);
});
