import { expect, test } from "bun:test";
import { type ExportPorts, exportCommand } from "./export.ts";
import { completed, run } from "./test-support/run-command.ts";

type Written = Parameters<ExportPorts["export"]["write"]>[0];

function world(empty = false) {
  const asked: Written[] = [];
  const ports: ExportPorts = {
    export: {
      async write(options) {
        asked.push(options);
        return empty ? null : { file: options.file ?? "~/project/session-x.html", bytes: 12_345 };
      },
    },
  };
  return { asked, ports };
}

const forms: [argument: string, asked: Written][] = [
  ["", { format: "html", file: null, redact: true }],
  ["json", { format: "json", file: null, redact: true }],
  ["notes.md", { format: "markdown", file: "notes.md", redact: true }],
  ["notes.txt markdown", { format: "markdown", file: "notes.txt", redact: true }],
  ["my notes.html", { format: "html", file: "my notes.html", redact: true }],
  ["--no-redact a.json", { format: "json", file: "a.json", redact: false }],
];
test.each(forms)("/export %s writes what it says [A-TUI-02]", async (argument, expected) => {
  const { asked, ports } = world();
  const { failed } = await run(exportCommand, argument, ports);
  expect(failed).toBe(false);
  expect(asked).toEqual([expected]);
});

test("/export says where the document is, and whether secrets were taken out", async () => {
  expect((await run(exportCommand, "", world().ports)).said).toBe(
    "The conversation is in ~/project/session-x.html (12 KB).\nWhat looks like a key or a password was taken out; read it before you share it.",
  );
  expect((await run(exportCommand, "--no-redact", world().ports)).said).toContain("may hold keys");
});

test("an empty conversation and an unknown option write nothing", async () => {
  expect((await run(exportCommand, "", world(true).ports)).failed).toBe(true);
  const { asked, ports } = world();
  expect((await run(exportCommand, "--pdf", ports)).said).toContain("no option --pdf");
  expect(asked).toEqual([]);
});

test("/export completes its formats", async () => {
  expect(await completed(exportCommand, "m", world().ports)).toEqual(["markdown"]);
});
