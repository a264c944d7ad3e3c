import { expect, test } from "bun:test";
import type { AuditReport, FileAudit } from "../../contract/audit.ts";
import { scan } from "../scan.ts";
import { formatReport } from "./report.ts";

const file = (path: string, text: string): FileAudit => ({
  path,
  realPath: `/${path}`,
  kind: "skill",
  size: Buffer.byteLength(text),
  ...scan(text),
});
const report: AuditReport = {
  files: [file("a|b/SKILL.md", "x `y` | pay\u202epal\n👩\u200d💻"), file("clean.md", "clean")],
  problems: [{ path: "gone.md", reason: "it may not be read" }],
  skipped: [{ path: "logo.png", reason: "it is no text" }],
};

test("the report is a table with place, character, name, text and reason [A-AUDIT-05]", () => {
  expect(formatReport(report, "text", false)).toBe(
    [
      "SEVERITY  PLACE              CHARACTER  NAME",
      "critical  a|b/SKILL.md:1:12  U+202E     RIGHT-TO-LEFT OVERRIDE",
      "  x `y` | pay\\u{202e}pal",
      "  forces the direction of text: what is read is not what is shown",
      "",
      "Problems:",
      "  gone.md: it may not be read",
      "",
      "2 files looked at, 1 problem, 1 left out on purpose. Hidden characters: 1 critical, 1 info. -v lists what is information only.",
    ].join("\n"),
  );
});

test("verbose lists what is information only, every file, and what was left out [A-AUDIT-05]", () => {
  const text = formatReport(report, "text", true);
  expect(text).toContain("U+200D");
  expect(text).toContain("  clean.md (skill)");
  expect(text).toContain("  logo.png: it is no text");
});

test("nothing found is said in one line [A-AUDIT-05]", () => {
  const clean = { files: [file("clean.md", "clean")], problems: [], skipped: [] };
  expect(formatReport(clean, "text", false)).toBe("1 file looked at. Hidden characters: nothing.");
});

test("the report is Markdown whose tables hold any text [A-AUDIT-05]", () => {
  const text = formatReport(report, "markdown", false);
  expect(text).toStartWith("# Hidden characters\n\n2 files looked at");
  expect(text).toContain("## `a\\|b/SKILL.md`");
  expect(text).toContain(
    "| critical | 1 | 12 | U+202E RIGHT-TO-LEFT OVERRIDE | forces the direction of text: what is read is not what is shown | ``x `y` \\| pay\\u{202e}pal`` |",
  );
});

test("the report is JSON with everything in it [A-AUDIT-05]", () => {
  expect(JSON.parse(formatReport(report, "json", false))).toMatchObject({
    totals: { files: 2, critical: 1, warning: 0, info: 1 },
    files: [
      {
        path: "a|b/SKILL.md",
        kind: "skill",
        counts: { critical: 1, warning: 0, info: 1 },
        left_out: 0,
        findings: [
          { file: "a|b/SKILL.md", line: 1, column: 12, codepoint: "U+202E", severity: "critical" },
          { line: 2, codepoint: "U+200D", severity: "info", description: "joins two emoji into one" },
        ],
      },
      { path: "clean.md", findings: [] },
    ],
    problems: [{ path: "gone.md", reason: "it may not be read" }],
    skipped: [{ path: "logo.png", reason: "it is no text" }],
  });
});

test("no report holds a hidden character itself [A-AUDIT-05]", () => {
  for (const format of ["text", "json", "markdown"] as const)
    expect(scan(formatReport(report, format, true)).findings).toEqual([]);
});

test("what is counted and not listed is said, of the severities that are shown [A-AUDIT-05]", () => {
  const many = (text: string) => ({ files: [file("a.md", text.repeat(150))], problems: [], skipped: [] });
  expect(formatReport(many("a\u00adb "), "text", false)).toContain(
    "a.md: 50 more characters are counted and not listed",
  );
  expect(formatReport(many("a\u00adb "), "markdown", false)).toContain("50 more characters are counted");
  expect(formatReport(many("👩\u200d💻 "), "text", false)).not.toContain("not listed");
  expect(formatReport(many("👩\u200d💻 "), "text", true)).toContain("50 more characters");
});
