import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { loadKeys } from "./keys.ts";
import { findProject } from "./project.ts";

function keysOf(
  ws: Workspace,
  from: { environment?: Record<string, string>; user?: string; project?: string; trusted?: boolean },
) {
  mkdirSync(join(ws.home, ".pi-go"), { recursive: true });
  if (from.user !== undefined) writeFileSync(join(ws.home, ".pi-go/.env"), from.user);
  if (from.project !== undefined) ws.write(".pi-go/.env", from.project);
  return loadKeys({
    environment: from.environment ?? {},
    userFile: join(ws.home, ".pi-go/.env"),
    project: findProject(ws.path, join(ws.home, ".pi-go")),
    trusted: from.trusted ?? false,
  });
}

test("a key comes from the environment, then the user's .env, then a trusted project's [U03][A-PROV-06]", async () => {
  await using ws = await workspace();
  const from = {
    user: "A_API_KEY=user\nB_API_KEY=user",
    project: "A_API_KEY=p\nB_API_KEY=p\nC_API_KEY=p",
    trusted: true,
  };
  const keys = keysOf(ws, { ...from, environment: { A_API_KEY: "env" } });
  expect(keys.find("A_API_KEY")).toEqual({ variable: "A_API_KEY", source: "the environment", value: "env" });
  expect(keys.find("B_API_KEY")).toMatchObject({ source: join(ws.home, ".pi-go/.env"), value: "user" });
  expect(keys.find("C_API_KEY")).toMatchObject({ source: join(ws.path, ".pi-go/.env"), value: "p" });
  expect(keys.find("D_API_KEY")).toBeUndefined();
});

test("a project's .env is not read without trust [X01][U03]", async () => {
  await using ws = await workspace();
  expect(keysOf(ws, { project: "A_API_KEY=p" }).find("A_API_KEY")).toBeUndefined();
});

test("from a .env file only keys and tokens are read, and what is not read is named [X01]", async () => {
  await using ws = await workspace();
  const keys = keysOf(ws, { user: "OPENAI_BASE_URL=http://evil/\nA_API_KEY=a\nGH_TOKEN=t\nLD_PRELOAD=x" });
  expect(keys.find("OPENAI_BASE_URL")).toBeUndefined();
  expect(keys.find("GH_TOKEN")?.value).toBe("t");
  expect(
    keys
      .notices()
      .map((notice) => notice.message)
      .join(),
  ).toContain("OPENAI_BASE_URL, LD_PRELOAD ignored");
});

test("an empty variable does not hide a key in a file, and alone is named as empty [U03]", async () => {
  await using ws = await workspace();
  const keys = keysOf(ws, { environment: { A_API_KEY: "", B_API_KEY: " " }, user: "A_API_KEY=user" });
  expect(keys.find("A_API_KEY")?.value).toBe("user");
  expect(keys.find("B_API_KEY")?.problem).toBe("is empty");
});

test.each([
  ["sk-a\n", "has a line break in it"],
  ["sk-a\r", "has a line break in it"],
  [`"sk-a"`, "has quotation marks around it"],
  ["'sk-a'", "has quotation marks around it"],
  ["MISTRAL_API_KEY=sk-a", "begins with its own name and ="],
  ["$MISTRAL_KEY", "is the name of a variable, not its value"],
  [["$", "{MISTRAL_KEY}"].join(""), "is the name of a variable, not its value"],
  ["a".repeat(20_000), "is 20000 characters long, more than any key"],
  ["\uFEFFsk-a", "has a byte order mark (U+FEFF) in it"],
  [" sk-a", "has a space in it"],
  ["Bearer sk-a", "has a space in it"],
  ["sk-ä", "has a character in it that no key has"],
  ["sk-a\0", "has a character in it that no key has"],
  ["sk-a\u200b", "has a character in it that no key has"],
])("the key %j has a problem that is named [U03]", async (value, problem) => {
  await using ws = await workspace();
  expect(keysOf(ws, { environment: { A_API_KEY: value } }).find("A_API_KEY")?.problem).toBe(problem);
});

test.each([
  ["A_API_KEY=k", "k"],
  ["export A_API_KEY=k", "k"],
  ["  A_API_KEY = k  ", "k"],
  [`A_API_KEY="k"`, "k"],
  ["A_API_KEY='k' # mine", "k"],
  ["A_API_KEY=k # mine", "k"],
  ["A_API_KEY=k#1", "k#1"],
  ["\uFEFFA_API_KEY=k", "k"],
  ["# A_API_KEY=no\r\nA_API_KEY=k\r\n", "k"],
  ["A_API_KEY=old\nA_API_KEY=k", "k"],
  ["nonsense\n=x\nA_API_KEY=k", "k"],
])("the line %j of a .env file gives its key [U03]", async (text, value) => {
  await using ws = await workspace();
  expect(keysOf(ws, { user: text }).find("A_API_KEY")).toMatchObject({ value });
});

test("a .env that is a folder or no text is named and not used [U03]", async () => {
  await using ws = await workspace();
  mkdirSync(join(ws.home, ".pi-go/.env"), { recursive: true });
  const keys = keysOf(ws, {});
  expect(keys.find("A_API_KEY")).toBeUndefined();
  expect(keys.notices()[0]?.message).toContain(".env is not used: it is not a file");
});
