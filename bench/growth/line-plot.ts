/** One line of a plot: points in rising order, both coordinates above 0. */
export interface PlotLine {
  name: string;
  points: readonly { x: number; y: number }[];
}

export interface LinePlot {
  title: string;
  xLabel: string;
  yLabel: string;
  lines: readonly PlotLine[];
  /** A dashed line to compare with; its name stands at its end. */
  guide?: PlotLine;
}

const [LEFT, TOP, WIDTH, HEIGHT] = [64, 34, 420, 240];
const LEGEND_ROW = 20;
/** Told apart on light and dark pages, and without colour vision by the marks' shapes. */
const COLORS = ["#2f9e6e", "#4c7fd9", "#d9822b", "#a65fc4", "#c94f6d"] as const;

/** A line plot with logarithmic axes as SVG. Throws for a plot without points, and for coordinates that have no logarithm. */
export function linePlot({ title, xLabel, yLabel, lines, guide }: LinePlot): string {
  const all = [...lines, ...(guide === undefined ? [] : [guide])].flatMap(({ points }) => points);
  if (all.length === 0 || all.some(({ x, y }) => !(x > 0 && y > 0)))
    throw new Error(`the plot "${title}" needs points above 0`);
  // What is compared with may lie far above everything measured: it is cut off there.
  const measured = lines.flatMap(({ points }) => points);
  const x = axis(
    measured.map((point) => point.x),
    LEFT,
    LEFT + WIDTH,
  );
  const y = axis(
    measured.map((point) => point.y),
    TOP + HEIGHT,
    TOP,
  );
  const path = (line: PlotLine): string =>
    line.points.map((point) => `${x.at(point.x).toFixed(1)},${y.at(point.y).toFixed(1)}`).join(" ");
  const drawn = lines.map((line, index) => {
    const color = COLORS[index % COLORS.length]!;
    const marks = line.points.map((point) => mark(index, x.at(point.x), y.at(point.y), color)).join("");
    const row = TOP + HEIGHT + 56 + index * LEGEND_ROW;
    const legend = `${mark(index, LEFT + 8, row - 4, color)}<text x="${LEFT + 20}" y="${row}">${escaped(line.name)}</text>`;
    return `<polyline points="${path(line)}" fill="none" stroke="${color}" stroke-width="2"/>${marks}${legend}`;
  });
  const grid = [
    ...x.ticks.map((tick) => vertical(x.at(tick), label(tick))),
    ...y.ticks.map((tick) => horizontal(y.at(tick), label(tick))),
  ];
  const height = TOP + HEIGHT + 56 + lines.length * LEGEND_ROW + (guide === undefined ? 0 : LEGEND_ROW);
  const width = LEFT + WIDTH + 24;
  const compared = guide === undefined ? [] : [guideOf(path(guide), guide.name, height - LEGEND_ROW)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#7a828e">`,
    `<clipPath id="area"><rect x="${LEFT}" y="${TOP}" width="${WIDTH}" height="${HEIGHT}"/></clipPath>`,
    `<text x="${LEFT}" y="20" font-weight="600">${escaped(title)}</text>`,
    `<text x="${LEFT + WIDTH / 2}" y="${TOP + HEIGHT + 34}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text transform="translate(14 ${TOP + HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>`,
    ...grid,
    ...compared,
    ...drawn,
    "</svg>\n",
  ].join("");
}

interface Axis {
  ticks: readonly number[];
  /** Where a value lies. */
  at(value: number): number;
}

/** A logarithmic axis from `from` to `to` pixels that holds all values and ends at ticks. */
function axis(values: readonly number[], from: number, to: number): Axis {
  const ticks = ticksOf(Math.min(...values), Math.max(...values));
  const [low, high] = [Math.log(ticks[0]!), Math.log(ticks.at(-1)!)];
  return { ticks, at: (value) => from + ((Math.log(value) - low) / (high - low)) * (to - from) };
}

/** Powers of ten; where these are fewer than three, 2 and 5 times them, too. */
function ticksOf(least: number, most: number): number[] {
  const tens = stepsOf([1], least, most);
  return tens.length >= 3 ? tens : stepsOf([1, 2, 5], least, most);
}

/** Of the multiples of powers of ten: the last one below the values, those between, and the first one above. */
function stepsOf(multiples: readonly number[], least: number, most: number): number[] {
  const first = Math.floor(Math.log10(least));
  const last = Math.ceil(Math.log10(most)) + 1;
  const steps: number[] = [];
  for (let power = first; power <= last; power++)
    for (const multiple of multiples) steps.push(Number(`${multiple}e${power}`));
  const from = steps.findLastIndex((step) => step <= least);
  const to = steps.findIndex((step, index) => step >= most && index > from);
  return steps.slice(from, to + 1);
}

function label(value: number): string {
  return value >= 1 ? value.toLocaleString("en") : String(value);
}

function vertical(x: number, text: string): string {
  return `<line x1="${x}" x2="${x}" y1="${TOP}" y2="${TOP + HEIGHT}" stroke="#7a828e" stroke-opacity="0.25"/><text x="${x}" y="${TOP + HEIGHT + 16}" text-anchor="middle" font-size="11">${text}</text>`;
}

function horizontal(y: number, text: string): string {
  return `<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${y}" y2="${y}" stroke="#7a828e" stroke-opacity="0.25"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end" font-size="11">${text}</text>`;
}

function guideOf(points: string, name: string, row: number): string {
  const dash = `stroke="#7a828e" stroke-dasharray="4 4"`;
  return `<polyline points="${points}" fill="none" clip-path="url(#area)" ${dash}/><line x1="${LEFT}" x2="${LEFT + 16}" y1="${row - 4}" y2="${row - 4}" ${dash}/><text x="${LEFT + 20}" y="${row}">${escaped(name)}</text>`;
}

/** A round, a square, a triangle, a diamond, a cross. */
function mark(kind: number, x: number, y: number, color: string): string {
  const shapes = [
    `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
    `M${x - 4} ${y - 4}h8v8h-8z`,
    `M${x} ${y - 5}l5 9h-10z`,
    `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
    `M${x - 1.5} ${y - 5}h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z`,
  ];
  return `<path d="${shapes[kind % shapes.length]}" fill="${color}"/>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
