import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { replaceSection } from "../document-section.ts";
import { barChart } from "./bar-chart.ts";
import type { PeerFigures, PeersReport, PeersSize } from "./peers.ts";

interface Column {
  title: string;
  unit: "ms" | "MiB";
  of(figures: PeerFigures): number;
  /** The file of its plot below docs/pictures; absent: not drawn. */
  plot?: string;
}

function columns({ short, long }: PeersSize): readonly Column[] {
  return [
    { title: "one-shot", unit: "ms", of: ({ start }) => start, plot: "bench-start" },
    { title: "memory of a one-shot", unit: "MiB", of: ({ startMiB }) => startMiB, plot: "bench-memory" },
    { title: `step (of ${short})`, unit: "ms", of: ({ step50 }) => step50, plot: "bench-step" },
    { title: `step (of ${long})`, unit: "ms", of: ({ step200 }) => step200 },
    { title: "each further step", unit: "ms", of: ({ further }) => further },
    { title: `memory after ${long} steps`, unit: "MiB", of: ({ loopMiB }) => loopMiB },
    { title: `one-shot in a session of ${long} steps`, unit: "ms", of: ({ resume }) => resume },
    { title: "one-shot after that work", unit: "ms", of: ({ later }) => later },
    { title: "first frame", unit: "ms", of: ({ frame }) => frame, plot: "bench-frame" },
    { title: "key to screen", unit: "ms", of: ({ key }) => key },
    { title: "CPU of a key", unit: "ms", of: ({ keyCpu }) => keyCpu },
    { title: "memory at rest", unit: "MiB", of: ({ idleMiB }) => idleMiB },
  ];
}

/** Prints the table; `write` renews it and its plots in the documentation, too. */
export async function printPeers(report: PeersReport, size: PeersSize, write: boolean): Promise<void> {
  const shown = columns(size);
  const table = tableOf(report, shown, size);
  process.stdout.write(table);
  if (!write) return;
  const root = join(import.meta.dir, "..", "..");
  for (const { plot, title, unit, of } of shown) {
    if (plot === undefined) continue;
    const bars = report.figures.map((figures) => ({ name: figures.name, value: of(figures) }));
    writeFileSync(join(root, "docs", "pictures", `${plot}.svg`), barChart(`${title}, ${unit}`, bars));
  }
  const plots = shown.flatMap(({ plot, title }) => (plot ? [`![${title}](pictures/${plot}.svg)`] : []));
  replaceSection(join(root, "docs", "benchmarks.md"), "peers", `${table}\n${plots.join("\n")}\n`);
}

function tableOf({ node, figures }: PeersReport, shown: readonly Column[], { runs }: PeersSize): string {
  const day = new Date().toISOString().slice(0, 10);
  const head = `Medians of ${runs} runs on ${day}, ${cpus().length} cores (${cpus()[0]?.model}); \`node -e 0\` beside each start: ${number(node)} ms.`;
  const rows = figures.map((each) => [
    `${each.name} ${each.version}`,
    ...shown.map(({ of, unit }, index) =>
      index === 0 ? `${cell(of(each), unit)} = ${(of(each) / node).toFixed(1)} ×` : cell(of(each), unit),
    ),
  ]);
  const titles = ["", ...shown.map(({ title }) => title)];
  const lines = [titles, titles.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const reasons = figures.flatMap(({ name, missing }) =>
    Object.entries(missing).map(([what, why]) => `- ${name}, ${what}: ${why.split("\n")[0]}`),
  );
  const lost = reasons.length === 0 ? "" : `\nNot measured:\n\n${reasons.join("\n")}\n`;
  return `${head}\n\n${lines.join("\n")}\n${lost}`;
}

function cell(value: number, unit: string): string {
  return Number.isNaN(value) ? "–" : `${number(value)} ${unit}`;
}

function number(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
