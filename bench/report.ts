/** One figure of a benchmark: what was measured, beside what, and what we promise. */
export interface Figure {
  name: string;
  value: string;
  beside: string;
  goal: string;
  met: boolean;
}

/** Prints figures as a Markdown table. */
export function printFigures(figures: readonly Figure[]): void {
  process.stdout.write("| what | measured | beside it | goal | met |\n|---|---|---|---|---|\n");
  for (const { name, value, beside, goal, met } of figures)
    process.stdout.write(`| ${name} | ${value} | ${beside} | ${goal} | ${met ? "yes" : "NO"} |\n`);
}

/** Milliseconds for people. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

/** A ratio for people. */
export function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}
