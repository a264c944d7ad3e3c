export interface Bar {
  name: string;
  /** NaN: nothing was measured. */
  value: number;
}

const ROW = 26;
const LABEL = 110;
const WIDTH = 420;
const VALUE = 70;

/** A chart of horizontal bars as SVG, the first bar in another colour. It reads on light and dark pages. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => (Number.isNaN(value) ? 0 : value)), 1e-9);
  const rows = bars.map(({ name, value }, index) => {
    const y = 34 + index * ROW;
    const width = Number.isNaN(value) ? 0 : Math.max(1, (value / most) * WIDTH);
    const shown = Number.isNaN(value) ? "–" : value < 10 ? value.toFixed(1) : String(Math.round(value));
    return [
      `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${name}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 8}" rx="2" fill="${index === 0 ? "#2f9e6e" : "#8a94a6"}"/>`,
      `<text x="${LABEL + width + 6}" y="${y + 13}">${shown}</text>`,
    ].join("");
  });
  const width = LABEL + WIDTH + VALUE;
  const height = 42 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#7a828e"><text x="${LABEL}" y="20" font-weight="600">${title}</text>${rows.join("")}</svg>\n`;
}
