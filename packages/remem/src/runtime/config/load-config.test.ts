import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { type ConfigSources, loadConfig } from "./load-config.ts";
import type { MemoryConfig } from "./memory-config.ts";
import { findPlaces, projectConfig } from "./places.ts";

function load(space: Workspace, more: Partial<ConfigSources> = {}): Promise<MemoryConfig> {
  return loadConfig({
    places: findPlaces({}, space.home, "linux"),
    environment: {},
    given: undefined,
    projectRoot: space.path,
    ignoreFiles: false,
    ...more,
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const userFile = (space: Workspace): string => findPlaces({}, space.home, "linux").userConfig;

test("without a file: one store for every host, capture off [A-MEM-10]", async () => {
  await using space = await workspace();
  const { settings, files, problems } = await load(space);
  expect(settings).toMatchObject({
    enabled: true,
    storage: { kind: "sqlite", path: join(space.home, ".pi-go/memory/claude-mem.db") },
    capture: { enabled: false, maxPending: 100, excludedTools: ["screen", "restart"] },
    budgets: { promptTokens: 1_024, startTokens: 5_000 },
    lookbackHours: 168,
    compression: { dailyTokens: 50_000 },
    compaction: false,
  });
  expect({ files, problems }).toEqual({ files: [], problems: [] });
});

test("the host's options win over the environment, that over the user's file, and comments are fine [A-MEM-10] [B-OC-02]", async () => {
  await using space = await workspace();
  write(
    userFile(space),
    '// mine\n{ "lookbackHours": 24, "budgets": { "promptTokens": 500, }, "pi": { "configured": true }, "version": 1 }',
  );
  const given = { budgets: { startTokens: 700 }, capture: { enabled: true } };
  const { settings, problems } = await load(space, {
    given,
    environment: { REMEM_DATABASE_URL: "postgres://host/db" },
  });
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    lookbackHours: 24,
    budgets: { promptTokens: 500, startTokens: 700 },
    capture: { enabled: true },
    storage: { kind: "postgres", databaseUrl: "postgres://host/db" },
  });
});

test("a project makes memory do less, never more [A-MEM-10]", async () => {
  await using space = await workspace();
  const hostile = {
    storage: { path: "/tmp/theirs.db" },
    embedding: { kind: "openai", baseUrl: "https://evil.example", model: "m", dimensions: 8 },
    privacy: { enabled: false },
    capture: { enabled: true, maxPending: 5_000, excludedTools: ["bash"] },
    budgets: { promptTokens: 100, startTokens: 50_000 },
    compression: { dailyTokens: 1_000_000 },
  };
  write(projectConfig(space.path), JSON.stringify(hostile));
  const { settings, problems } = await load(space);
  expect(settings).toMatchObject({
    storage: { path: join(space.home, ".pi-go/memory/claude-mem.db") },
    embedding: { kind: "static" },
    privacy: { enabled: true },
    capture: { enabled: false, maxPending: 100, excludedTools: ["screen", "restart", "bash"] },
    budgets: { promptTokens: 100, startTokens: 5_000 },
    compression: { dailyTokens: 50_000 },
  });
  expect(problems).toHaveLength(7);
  expect(problems.join("\n")).toContain("storage.path is not read from a project");
  write(projectConfig(space.path), '{ "enabled": false }');
  expect((await load(space)).settings.enabled).toBe(false);
});

test("unknown keys are named with the nearest known one, wrong values with what would be right", async () => {
  await using space = await workspace();
  write(
    userFile(space),
    '{ "enabeld": true, "capture": { "enable": true, "maxPending": "many" }, "budgets": 5, "providers": [{ "id": "a", "kind": "sqlite" }] }',
  );
  const { problems, settings } = await load(space);
  const file = userFile(space);
  expect(problems).toEqual([
    `${file} has an unknown key "enabeld"; did you mean "enabled"?`,
    `${file} has an unknown key "capture.enable"; did you mean "capture.enabled"?`,
    `capture.maxPending in ${file} is no whole number from 1 to 10000; it is left out`,
    `budgets in ${file} is no object; it is left out`,
    `providers in ${file} has an entry 1 ("a") that does not say where it is: path; it is left out`,
  ]);
  expect(settings.capture).toMatchObject({ enabled: false, maxPending: 100 });
});

test("a broken file is named with line and column and left out as a whole", async () => {
  await using space = await workspace();
  write(userFile(space), '{\n  "enabled": false,\n  "capture": }\n');
  const { problems, settings } = await load(space);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toStartWith(`${userFile(space)}:3:14 is no JSON`);
  expect(settings.enabled).toBe(true);
});

test("relative paths start at the settings' folder and ~ is the home folder, wherever the host runs", async () => {
  await using space = await workspace();
  write(
    userFile(space),
    '{ "storage": { "path": "store.db" }, "embedding": { "kind": "onnx", "path": "~/model" } }',
  );
  const { settings } = await load(space);
  expect(settings.storage.path).toBe(join(dirname(userFile(space)), "store.db"));
  expect(settings.embedding).toEqual({ kind: "onnx", path: join(space.home, "model") });
});

test("the settings' folder is found by the rules of each system [B-CLI-01]", () => {
  const config = (environment: Record<string, string>, platform: NodeJS.Platform): string =>
    findPlaces(environment, "/h", platform).userConfig;
  expect(config({ REMEM_CONFIG_DIR: "/c" }, "linux")).toBe("/c/config.json");
  expect(config({ XDG_CONFIG_HOME: "/x" }, "linux")).toBe("/x/remem/config.json");
  expect(config({}, "linux")).toBe("/h/.config/remem/config.json");
  expect(config({ XDG_CONFIG_HOME: "/x" }, "darwin")).toBe(
    "/h/Library/Application Support/Remem/config.json",
  );
  expect(findPlaces({ PI_HOME: "/p" }, "/h", "linux").defaultStore).toBe("/p/memory/claude-mem.db");
  expect(findPlaces({ PI_HOME: "~/p " }, "/h", "linux").defaultStore).toBe("/h/p/memory/claude-mem.db");
});
