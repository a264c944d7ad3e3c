import type { CheckResult, RunReport, SliceResult } from "./run-ports.ts";

/** The report of a run as Markdown: `SUMMARY.md` in the spec's folder. */
export function summaryOf(report: RunReport): string {
  const { spec, run, outcome, message, slices, gates, review, repairs, kept, notes } = report;
  return [
    `# Run of ${spec}`,
    "",
    `- outcome: **${outcome}**`,
    ...(run === "" ? [] : [`- run: ${run}`]),
    `- began: ${new Date(report.startedAt).toISOString()}, took ${seconds(report.durationMs)}`,
    `- repairs of the whole: ${repairs}`,
    "",
    message.trim(),
    "",
    "## Slices",
    "",
    "| slice | outcome | attempts | time | agent |",
    "| --- | --- | --- | --- | --- |",
    ...slices.map(sliceRow),
    ...slices.flatMap(({ number, reason }) =>
      reason === undefined ? [] : ["", `Slice ${number}: ${reason.trim()}`],
    ),
    "",
    "## Gates",
    "",
    ...(gates.length === 0 ? ["None was run."] : gates.map(gateLine)),
    "",
    "## Review",
    "",
    review === null ? "None was made." : `${review.verdict.toUpperCase()}\n\n${review.reasons}`,
    "",
    "## Kept",
    "",
    ...(kept.length === 0
      ? ["Nothing: no work is outside of the project."]
      : kept.map((place) => `- ${place}`)),
    ...(notes.length === 0 ? [] : ["", "## Notes", "", ...notes.map((note) => `- ${note}`)]),
    "",
  ].join("\n");
}

function sliceRow({ number, title, outcome, attempts, durationMs, agent }: SliceResult): string {
  const cells = [`${number}: ${title}`, outcome, String(attempts), seconds(durationMs), agent ?? ""];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function gateLine({ name, command, passed, how, durationMs }: CheckResult): string {
  return `- ${passed ? "passed" : "failed"}: ${name} (\`${command}\`, ${how}, ${seconds(durationMs)})`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
