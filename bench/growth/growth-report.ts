import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { replaceSection } from "../document-section.ts";
import type { Figure } from "../report.ts";
import { type Fit, growthWords } from "./fit.ts";
import { linePlot } from "./line-plot.ts";
import { type Growth, judge, LIMIT_WORDS, type Series } from "./series.ts";

const ROOT = join(import.meta.dir, "..", "..");
const PAGE = join(ROOT, "docs", "benchmarks.md");
/** Where a size of 0 is drawn: a logarithmic axis has no place for it. */
const ZERO_AT = 0.5;

/** Prints the measured values of all, with their fits. */
export function printGrowths(growths: readonly Growth[]): void {
  for (const growth of growths) process.stdout.write(`${tableOf(growth)}\n`);
}

/** One figure a cost: its last value beside the first one. */
export function growthFigures(growths: readonly Growth[]): Figure[] {
  return growths.flatMap((growth) =>
    growth.series.map((series) => {
      const { fit, met } = judge(series);
      const [first, last] = [series.points[0]!, series.points.at(-1)!];
      return {
        name: `growth: ${series.name}, ${last.size.toLocaleString("en")} ${growth.sizes}`,
        value: `${valueText(last.value, series)}: ${growthWords(fit)}, ${fitText(fit, series)}`,
        beside: `${first.size.toLocaleString("en")}: ${valueText(first.value, series)}`,
        goal: LIMIT_WORDS[series.limit],
        met,
      };
    }),
  );
}

/** Renews the parts that were measured in docs/benchmarks.md, and their plots; the others stay. `order`: of all parts there are. */
export function writeGrowths(growths: readonly Growth[], order: readonly string[]): void {
  const parts = storedParts();
  for (const growth of growths) {
    writeFileSync(join(ROOT, "docs", "pictures", `${plotOf(growth.name)}.svg`), pictureOf(growth));
    parts.set(growth.name, partOf(growth));
  }
  const known = order.flatMap((name) => {
    const part = parts.get(name);
    return part === undefined ? [] : [`<!-- growth-${name} -->\n\n${part}\n\n<!-- /growth-${name} -->`];
  });
  replaceSection(PAGE, "growth", `\n${known.join("\n\n")}\n`);
}

/** The parts that stand in the page, by name. */
function storedParts(): Map<string, string> {
  const text = readFileSync(PAGE, "utf8");
  const parts = text.matchAll(/<!-- growth-(\w+) -->\n([\s\S]*?)<!-- \/growth-\1 -->/g);
  return new Map([...parts].map(([, name = "", content = ""]) => [name, content.trim()]));
}

function partOf(growth: Growth): string {
  const day = new Date().toISOString().slice(0, 10);
  const picture = `![Cost by ${growth.sizes}](pictures/${plotOf(growth.name)}.svg)`;
  return `${tableOf(growth)}\n${day}, ${cpus().length} cores (${cpus()[0]?.model}).\n\n${picture}`;
}

function plotOf(name: string): string {
  return `growth-${name}`;
}

function tableOf({ sizes, series }: Growth): string {
  const columns = series[0]!.points.map(({ size }) => size.toLocaleString("en"));
  const head = [sizes, ...columns, "fit", "grows", "goal", "met"];
  const rows = series.map((each) => {
    const { fit, met } = judge(each);
    const values = each.points.map(({ value }) => valueText(value, each));
    return [
      each.name,
      ...values,
      fitText(fit, each),
      growthWords(fit),
      LIMIT_WORDS[each.limit],
      met ? "yes" : "no",
    ];
  });
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

/** Costs as multiples of the smallest size's, so that lines of different units have room in one plot. */
function pictureOf({ sizes, series }: Growth): string {
  const lines = series.map(({ name, points }) => ({
    name,
    points: points.map(({ size, value }) => ({
      x: size === 0 ? ZERO_AT : size,
      y: value / points[0]!.value,
    })),
  }));
  const xs = lines[0]!.points.map(({ x }) => x);
  const least = xs[0]!;
  const most = xs.at(-1)!;
  return linePlot({
    title: `Cost by ${sizes}`,
    xLabel: sizes,
    yLabel: "× the cost at the left end",
    lines,
    guide: {
      name: "in proportion to the size",
      points: [
        { x: least, y: 1 },
        { x: most, y: most / least },
      ],
    },
  });
}

function valueText(value: number, { unit }: Pick<Series, "unit">): string {
  return `${short(value)} ${unit}`;
}

function fitText({ constant, factor, exponent }: Fit, series: Series): string {
  if (factor === 0) return valueText(constant, series);
  const grown = `${factor.toPrecision(2)} · n^${exponent.toFixed(2)}`;
  return constant > 0 ? `${short(constant)} + ${grown} ${series.unit}` : `${grown} ${series.unit}`;
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
