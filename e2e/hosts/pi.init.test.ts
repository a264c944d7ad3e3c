/** `remem init --pi`: what it writes into Pi's settings, that Pi loads it from there, and that doctor knows. */
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { writeHandshake } from "../../packages/remem/src/hosts/shared/handshake.ts";
import { stateEarlier } from "../support/memory.ts";
import { remem, rememData, settingsFile } from "../support/remem.ts";
import { agentFolder, EXTENSION, MISSING, PACKAGE, runPi } from "./pi-host.ts";

const BUILT = existsSync(EXTENSION) ? "" : " (needs the built extension: npm run build hosts)";

interface HostData {
  readonly hosts: {
    readonly pi: {
      readonly registered: boolean;
      readonly loaded: object | null;
      readonly problems: { found: string }[];
    };
  };
}

function piSettings(ws: Workspace): string {
  return join(agentFolder(ws), "settings.json");
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function hosts(ws: Workspace, env: Record<string, string> = {}): Promise<string> {
  return (await remem(ws, ["doctor"], { env })).stdout
    .split("\n")
    .filter((line) => line.includes("Pi"))
    .join("\n");
}

describe("remem init --pi", () => {
  test.skipIf(BUILT !== "")(
    `makes Pi's settings, adds this package once, and says what to do next [B-CLI-01][B-PKG-01]${BUILT}`,
    async () => {
      await using ws = await workspace({});
      const first = await remem(ws, ["init", "--pi"]);
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(readFileSync(piSettings(ws), "utf8"))).toEqual({ packages: [PACKAGE] });
      expect(first.stdout).toContain("Start Pi anew");
      const written = readFileSync(piSettings(ws), "utf8");
      expect((await remem(ws, ["init", "--pi"])).stdout).toContain("registered already");
      expect(readFileSync(piSettings(ws), "utf8")).toBe(written);
      expect(readdirSync(agentFolder(ws))).toEqual(["settings.json"]);
    },
  );

  test.skipIf(BUILT !== "")(
    `keeps other packages, keys, comments and indentation, and tells that Pi reads no comments [B-CLI-01][K01]${BUILT}`,
    async () => {
      await using ws = await workspace({});
      const before =
        '{\n\t"theme": "dark", // mine\n\t"packages": [\n\t\t"npm:pi-mermaid", // pictures\n\t\t{ "source": "./own" } // last\n\t],\n}\n';
      write(piSettings(ws), before);
      const result = await remem(ws, ["init", "--pi"]);
      expect(result.code).toBe(0);
      expect(readFileSync(piSettings(ws), "utf8")).toBe(
        before.replace('{ "source": "./own" }', `{ "source": "./own" },\n\t\t${JSON.stringify(PACKAGE)}`),
      );
      expect(result.stdout).toContain("Pi reads");
    },
  );

  test.skipIf(BUILT !== "")(
    `goes where PI_CODING_AGENT_DIR says, and keeps a link a link [B-CLI-01][K01]${BUILT}`,
    async () => {
      if (process.platform === "win32") return;
      await using ws = await workspace({ "dotfiles/pi.json": '{ "packages": [] }\n' });
      mkdirSync(join(ws.home, "elsewhere"));
      symlinkSync(ws.at("dotfiles/pi.json"), join(ws.home, "elsewhere", "settings.json"));
      const env = { PI_CODING_AGENT_DIR: "~/elsewhere" };
      expect((await remem(ws, ["init", "--pi"], { env })).code).toBe(0);
      expect(lstatSync(join(ws.home, "elsewhere", "settings.json")).isSymbolicLink()).toBe(true);
      expect(JSON.parse(ws.read("dotfiles/pi.json"))).toEqual({ packages: [PACKAGE] });
      expect(existsSync(agentFolder(ws))).toBe(false);
    },
  );

  test.skipIf(BUILT !== "").each([
    ["broken", '{\n  "packages": [,\n}\n', "settings.json:2:"],
    ["no object", "[]\n", "is no JSON object"],
    ["a list that is none", '{ "packages": "all" }\n', '"packages" is no list'],
  ])(
    `settings that are %s stay byte for byte, and nothing else is changed [K01]${BUILT}`,
    async (_, content, said) => {
      await using ws = await workspace({});
      write(piSettings(ws), content);
      const result = await remem(ws, ["init", "--pi", "--capture"]);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain(said);
      expect(readFileSync(piSettings(ws), "utf8")).toBe(content);
      expect(existsSync(settingsFile(ws))).toBe(false);
      expect(readdirSync(agentFolder(ws))).toEqual(["settings.json"]);
    },
  );

  test.skipIf(BUILT !== "")(`another copy that Pi has already stays, and is named${BUILT}`, async () => {
    await using ws = await workspace({ "other/package.json": '{ "name": "agentic-remem" }' });
    write(piSettings(ws), JSON.stringify({ packages: [ws.at("other")] }));
    const result = await remem(ws, ["init", "--pi"]);
    expect(result.stdout).toContain(ws.at("other"));
    expect(JSON.parse(readFileSync(piSettings(ws), "utf8"))).toEqual({ packages: [ws.at("other")] });
  });
});

describe("status and doctor", () => {
  test.skipIf(MISSING !== "")(
    `Pi loads what init has registered, and doctor tells never loaded from loaded [B-CLI-02][B-PKG-01][W12]${MISSING}`,
    async () => {
      await using ws = await workspace({}, { git: true });
      await using server = await modelServer();
      await stateEarlier(ws, ["Remember: the staging deploy goes through blue-lantern.sh."]);
      expect(await hosts(ws)).toContain("Pi: not registered");
      await remem(ws, ["init", "--pi"]);
      expect(await hosts(ws)).toContain("Pi: registered, but Pi has never loaded it");
      server.reply(say("done"));
      const prompt = ["-p", "How do we deploy to staging?"];
      expect(await runPi(ws, server, prompt, { extensions: [] })).toMatchObject({ code: 0, stderr: "" });
      expect(server.request(1).text).toContain("blue-lantern");
      expect(await hosts(ws)).toMatch(
        /\[ok\] hosts: Pi: registered; last loaded \d{4}-.* \(its version 1\.6\.0, memory 0\.0\.0, node 24/,
      );
      const { hosts: told } = await rememData<HostData>(ws, ["status"]);
      expect(told.pi).toMatchObject({ registered: true, loaded: { adapterPath: EXTENSION }, problems: [] });
    },
  );

  test.skipIf(BUILT !== "")(
    `another version, another store and a broken file of Pi's are told [B-CLI-02][W12]${BUILT}`,
    async () => {
      await using ws = await workspace({});
      await remem(ws, ["init", "--pi"]);
      const store = { kind: "sqlite", path: "/elsewhere/memory.db" };
      const about = {
        host: "pi",
        hostVersion: "1.6.0",
        adapterPath: EXTENSION,
        runtime: "node 24.1.0",
      } as const;
      const loadedAt = "2026-11-30T12:00:00.000Z";
      writeHandshake(
        { globalFolder: join(ws.home, ".pi-go") },
        { ...about, adapterVersion: "9.9.9", store, loadedAt },
      );
      const told = await hosts(ws);
      expect(told).toContain("Pi has loaded version 9.9.9, and this is 0.0.0");
      expect(told).toContain("Pi uses another store: /elsewhere/memory.db");
      writeFileSync(piSettings(ws), "{");
      expect(await hosts(ws)).toContain("settings.json:1:");
    },
  );
});
