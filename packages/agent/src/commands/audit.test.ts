import { expect, test } from "bun:test";
import type { AuditReport, AuditRequest, SeverityCounts } from "../contract/audit.ts";
import type { ParsedArguments } from "../contract/command.ts";
import { auditCommand } from "./audit.ts";

const counts = (critical: number, warning: number, info: number): SeverityCounts => ({
  critical,
  warning,
  info,
});
const report = (found: SeverityCounts, more: Partial<AuditReport> = {}): AuditReport => ({
  files: [{ path: "a", realPath: "/a", kind: "file", size: 1, findings: [], counts: found, leftOut: 0 }],
  problems: [],
  skipped: [],
  ...more,
});

async function run(options: ParsedArguments["options"], result: AuditReport = report(counts(0, 0, 0))) {
  const asked: AuditRequest[] = [];
  const saved: [string, string][] = [];
  const ports = {
    audit: {
      run: async (request: AuditRequest) => {
        asked.push(request);
        return result;
      },
      format: async (_report: AuditReport, format: string, verbose: boolean) => `${format} ${verbose}`,
      data: async () => ({}),
      save: async (path: string, text: string) => void saved.push([path, text]),
    },
  };
  const { exitCode, blocks } = await auditCommand.run(
    { words: [], options },
    ports,
    new AbortController().signal,
  );
  return { exitCode, text: blocks.map((block) => ("text" in block ? block.text : "")).join(), asked, saved };
}

const codes: [string, AuditReport, number][] = [
  ["nothing", report(counts(0, 0, 0)), 0],
  ["information only", report(counts(0, 0, 3)), 0],
  ["a warning", report(counts(0, 1, 3)), 2],
  ["a critical character", report(counts(1, 1, 3)), 1],
  [
    "a file that could not be looked at",
    report(counts(0, 0, 0), { problems: [{ path: "b", reason: "no" }] }),
    2,
  ],
];
for (const [what, found, code] of codes)
  test(`${what} exits with ${code} [A-AUDIT-02]`, async () => {
    expect((await run({}, found)).exitCode).toBe(code);
  });

test("after --strip the exit code tells what is left; with --dry-run nothing is gone yet [A-AUDIT-02]", async () => {
  const stripped = (backup: string | null): AuditReport => {
    const found = report(counts(1, 0, 0));
    found.files[0]!.strip = { removed: counts(1, 0, 0), backup };
    return found;
  };
  expect((await run({ strip: true }, stripped("a.bak"))).exitCode).toBe(0);
  expect((await run({ strip: true, "dry-run": true }, stripped(null))).exitCode).toBe(1);
});

test("the options become a request and a format", async () => {
  const { asked, text } = await run({
    verbose: true,
    format: "markdown",
    strip: true,
    "dry-run": true,
    file: "x",
  });
  expect(asked).toEqual([{ file: "x", strip: true, dryRun: true }]);
  expect(text).toBe("markdown true");
});

test("--output takes the report, and the terminal says where it is", async () => {
  const { saved, text } = await run({ output: "r.txt" });
  expect(saved).toEqual([["r.txt", "text false\n"]]);
  expect(text).toBe("the report is in r.txt");
});

const refused: [ParsedArguments["options"], string][] = [
  [{ format: "xml" }, '--format takes text, json, markdown, not "xml"'],
  [{ "dry-run": true }, "--dry-run belongs to --strip"],
  [{ file: " " }, "--file needs a path that is not empty"],
  [{ output: "" }, "--output needs a path that is not empty"],
];
for (const [options, message] of refused)
  test(`refused with 64: ${JSON.stringify(options)} [A-AUDIT-02]`, () => {
    expect(run(options)).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining(message) });
  });

test("words make it a prompt", () => {
  expect(auditCommand.accepts({ words: ["the", "code"], options: {} })).toBe(false);
});
