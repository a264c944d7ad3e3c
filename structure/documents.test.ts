// Pages that people write by hand, held to the code where they name its parts.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SLASH_INFOS } from "../packages/agent/src/commands/slash/slash-infos.ts";
import { parseJsonText } from "../packages/agent/src/config/read-json-file.ts";
import { CONFIG_SCHEMA } from "../packages/agent/src/config/schema.ts";
import { validateConfig } from "../packages/agent/src/config/validate.ts";
import { protectedReason } from "../packages/agent/src/sandbox/files/protected.ts";
import { isSecretPath } from "../packages/agent/src/sandbox/secrets.ts";
import { ESCAPE_SOCKETS, PRIVATE_FOLDERS } from "../packages/agent/src/sandbox/shell/private-places.ts";
import { limitOf } from "./tool-limits.ts";

const ROOT = join(import.meta.dir, "..");
const page = (name: string) => readFileSync(join(ROOT, name), "utf8");
const quoted = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
const part = (text: string, from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));

/** The texts of a picture of a terminal, row by row. */
function pictureRows(svg: string): string[] {
  const rows = new Map<number, string[]>();
  for (const [, y, words] of svg.matchAll(/<text[^>]*? y="([\d.]+)"[^>]*>([^<]*)<\/text>/g)) {
    const row = rows.get(Number(y)) ?? [];
    row.push(words!);
    rows.set(Number(y), row);
  }
  return [...rows].toSorted(([above], [below]) => above - below).map(([, words]) => words.join(" "));
}

/** A row of the menu of commands before it is cut to the window. */
function commandRow({ name, argumentHint, summary }: (typeof SLASH_INFOS)[number]): string {
  return [name, argumentHint, summary].join(" ").replace(/\s+/g, " ");
}

describe("docs/security.md", () => {
  const SECURITY = page("docs/security.md");

  test("every folder that it calls hidden is hidden [X04]", () => {
    const named = quoted(part(SECURITY, "- **reads**", "- **reaches**"))
      .filter((name) => name.startsWith("~/"))
      .map((name) => name.slice(2));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => name !== ".pi-go" && !PRIVATE_FOLDERS.includes(name))).toEqual([]);
  });

  test("every service that it calls out of reach is", () => {
    const reaches = part(SECURITY, "- **reaches**", "- **sees**").toLowerCase();
    for (const service of ["docker", "podman", "containerd", "systemd", "libvirt", "/run/user"]) {
      expect(reaches).toContain(service);
      expect(ESCAPE_SOCKETS.some((path) => path.includes(service))).toBe(true);
    }
  });

  test("every file that it calls protected is refused to file tools [G03]", () => {
    const named = quoted(part(SECURITY, "No file tool writes", "**Secret files.**"));
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect([name, protectedReason(name) !== null]).toEqual([name, true]);
  });

  test("what it says of secret files is so [X04]", () => {
    const [hidden, free] = part(SECURITY, "**Secret files.**", "## Commands").split("Named as an example");
    for (const name of quoted(hidden!)) expect([name, isSecretPath(name)]).toEqual([name, true]);
    for (const name of quoted(free!)) expect([name, isSecretPath(name)]).toEqual([name, false]);
  });

  test("the bounds of the search for secrets are those of the code", () => {
    const bound = (name: string) => limitOf("sandbox/shell/secret-scan.ts", name).toLocaleString("en");
    expect(SECURITY).toContain(`after ${bound("MAX_ENTRIES")} entries or ${bound("MAX_SECRETS")} files`);
  });
});

test("docs/memory.md names every setting of memory with its default [A-CONF-01]", () => {
  const rows = new Map(
    [...page("docs/memory.md").matchAll(/^\| `([a-z_.]+)` +\| (.*?) +\|/gm)].map((row) => [row[1]!, row[2]!]),
  );
  const properties = CONFIG_SCHEMA.properties!["memory"]!.properties!;
  const keys = Object.entries(properties).flatMap(([key, schema]) =>
    schema.properties === undefined
      ? [[key, schema] as const]
      : Object.entries(schema.properties).map(([inner, child]) => [`${key}.${inner}`, child] as const),
  );
  for (const [key, schema] of keys) {
    const initial = schema["default"];
    const shown =
      initial === undefined ? "the shared store" : JSON.stringify(initial).replace(/,(?=")/g, ", ");
    expect([key, rows.get(key)?.replaceAll("`", "")]).toEqual([key, shown]);
  }
});

describe("the examples of JSON that the pages show", async () => {
  const keys = Object.keys(CONFIG_SCHEMA.properties!);
  const names = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)];
  const blocks = names
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      [...page(name).matchAll(/```jsonc?\n([\s\S]*?)```/g)].map((block) => [name, block[1]!] as const),
    );
  // A block is a file, or messages of a protocol, one a line.
  const files = blocks.flatMap(([name, block]) =>
    /^\{.*\}\n\{/.test(block)
      ? block
          .trim()
          .split("\n")
          .map((line) => [name, line] as const)
      : [[name, block] as const],
  );
  const read = await Promise.all(
    files.map(async ([name, block]) => [name, await parseJsonText(block)] as const),
  );
  // Other files have keys of their own: mcp.json, themes, editors' settings, events.
  const settings = read.flatMap(([name, file]) =>
    file.state === "ok" && Object.keys(file.value).every((key) => keys.includes(key))
      ? [[name, file.value] as const]
      : [],
  );

  test("all of them are JSON, with comments where they say so", () => {
    expect(read.filter(([, { state }]) => state !== "ok")).toEqual([]);
    expect(settings.length).toBeGreaterThan(8);
  });

  test.each(settings)("%s: %j is taken as it stands [A-CONF-01]", (name, value) => {
    expect(validateConfig(value, CONFIG_SCHEMA, name)).toEqual({ value, notices: [] });
  });
});

test("ARCHITECTURE.md lists every folder of the packages", () => {
  const layout = /```\n([\s\S]*?)```/.exec(page("ARCHITECTURE.md"))![1]!;
  const folders = ["agent", "remem"].flatMap((name) =>
    readdirSync(join(ROOT, "packages", name, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name),
  );
  expect([...new Set(folders)].filter((name) => !layout.includes(`${name}/`))).toEqual([]);
});

test("every place that ARCHITECTURE.md names for a promise is there", () => {
  const text = page("ARCHITECTURE.md");
  const named = quoted(part(text, "## Promises", "## Entrances")).filter((name) => /^[a-z]+\//.test(name));
  expect(named.length).toBeGreaterThan(20);
  const roots = ["agent", "remem"].map((name) => join(ROOT, "packages", name, "src"));
  expect(named.filter((name) => !roots.some((root) => existsSync(join(root, name))))).toEqual([]);
});

test("the picture of the commands shows them as their list has them", () => {
  const rows = pictureRows(page("docs/pictures/commands.svg"));
  const listed = rows.slice(rows.indexOf("/") + 1).map((row) => row.replace("→ ", ""));
  const end = listed.findIndex((row) => /^\(\d+\/\d+\)$/.test(row));
  expect(end).toBeGreaterThan(10);
  expect(listed[end]).toBe(`(1/${SLASH_INFOS.length})`);
  const cut = listed.slice(0, end).map((row, index) => [row, commandRow(SLASH_INFOS[index]!)] as const);
  expect(cut.filter(([row, whole]) => !whole.startsWith(row))).toEqual([]);
});

test("the index names every page of docs once", () => {
  const index = page("docs/README.md");
  const pages = readdirSync(join(ROOT, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  const named = [...index.matchAll(/\]\(([a-z-]+\.md)\)/g)].map((match) => match[1]!);
  expect(named.toSorted()).toEqual(pages.toSorted());
});

test("every decision has its own number, and the next one follows", () => {
  const names = readdirSync(join(ROOT, "docs", "adr")).toSorted();
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  for (const name of names) expect(page(`docs/adr/${name}`)).toStartWith(`# ${name.slice(0, 4)} `);
});
