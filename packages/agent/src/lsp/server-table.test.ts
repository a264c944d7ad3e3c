import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { withSettings } from "./server-definition.ts";
import { SERVERS } from "./server-table.ts";

const PAGE = new URL("../../../../docs/language-servers.md", import.meta.url);

test("the page about language servers names every built-in one, its program, and whether it needs trust [A-LSP-05]", () => {
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `([^`]+)` +\| [^|]+\| `([^`]+)`( \(trusted)?/gm);
  const documented = [...rows].map(([, name, program, trusted]) => [name, program, trusted !== undefined]);
  expect(documented).toEqual(
    SERVERS.map(({ name, commands, runsProject }) => [name, commands[0]![0], runsProject === true]),
  );
});

test("every server has the extensions, roles and directions that messages need", () => {
  for (const { name, languageIds, roles, install, commands } of SERVERS) {
    expect({ name, extensions: Object.keys(languageIds).every((key) => /^\.[a-z]+$/.test(key)) }).toEqual({
      name,
      extensions: true,
    });
    expect([roles.length, install.length, commands[0]!.length].every((length) => length > 0)).toBe(true);
  }
  expect(new Set(SERVERS.map(({ name }) => name)).size).toBe(SERVERS.length);
});

test("a user's settings change a built-in server, disable one, and bring one of their own, which is asked first", () => {
  const servers = withSettings(SERVERS, {
    gopls: { command: "my-gopls", args: ["-v"], settings: { gopls: { staticcheck: true } }, format: false },
    jdtls: { disabled: true },
    mine: { command: "mine", extensions: ["ts", ".vue"], rootMarkers: ["mine.json"] },
  });
  expect(servers[0]).toMatchObject({
    name: "mine",
    commands: [["mine"]],
    languageIds: { ".ts": "ts", ".vue": "vue" },
    roles: ["navigate", "diagnose", "format"],
  });
  expect(servers.find(({ name }) => name === "gopls")).toMatchObject({
    commands: [["my-gopls", "-v"]],
    roles: ["navigate", "diagnose"],
    settings: { gopls: { staticcheck: true } },
    environment: { GOTOOLCHAIN: "local" },
  });
  expect(servers.some(({ name }) => name === "jdtls")).toBe(false);
});

test("settings for a built-in server keep its nested options", () => {
  const [typescript] = withSettings(SERVERS, {
    typescript: { initializationOptions: { tsserver: { logVerbosity: "off" } } },
  }).filter(({ name }) => name === "typescript");
  expect(typescript?.initializationOptions).toMatchObject({
    disableAutomaticTypingAcquisition: true,
    tsserver: { useSyntaxServer: "never", logVerbosity: "off" },
  });
});
