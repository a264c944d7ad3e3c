import type { SpecProblem } from "./markdown-sections.ts";
import type { ParsedPlan, Slice } from "./parse-plan.ts";

/** More is no slice any more. */
const MOST_FILES = 10;

/**
 * What keeps a plan from being carried out: what was not understood, and slices that cannot be checked or put in an order.
 * `withoutVerify`: slices need no verify command.
 */
export function checkPlan(plan: ParsedPlan, options: { withoutVerify?: boolean } = {}): SpecProblem[] {
  const { slices } = plan;
  if (slices.length === 0 && plan.problems.length === 0)
    return [{ message: 'it has no slices: lines of the form "- [ ] Slice 1: title"' }];
  const numbers = new Set(slices.map(({ number }) => number));
  return [
    ...plan.problems,
    ...slices.flatMap((slice, index) => [
      ...oneSlice(slice, numbers, options.withoutVerify === true),
      ...(slices.findIndex(({ number }) => number === slice.number) < index
        ? [problem(slice, `is there twice`)]
        : []),
    ]),
    ...cycles(slices),
    ...clashes(slices),
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function oneSlice(slice: Slice, numbers: ReadonlySet<number>, withoutVerify: boolean): SpecProblem[] {
  const found: SpecProblem[] = [];
  if (slice.verify.length === 0 && !withoutVerify)
    found.push(problem(slice, "has no verify command: `- verify: `command``".replaceAll("``", "`")));
  if (slice.files.length > MOST_FILES)
    found.push(
      problem(slice, `changes ${slice.files.length} files; ${MOST_FILES} are the most, so cut it in two`),
    );
  for (const number of slice.depends) {
    if (number === slice.number) found.push(problem(slice, "depends on itself"));
    else if (!numbers.has(number))
      found.push(problem(slice, `depends on slice ${number}, which there is not`));
  }
  return found;
}

/** Slices that wait for each other for ever. */
function cycles(slices: readonly Slice[]): SpecProblem[] {
  const left = new Map(slices.map((slice) => [slice.number, slice]));
  for (;;) {
    const free = [...left.values()].filter(({ number, depends }) =>
      depends.every((other) => other === number || !left.has(other)),
    );
    if (free.length === 0) break;
    for (const { number } of free) left.delete(number);
  }
  const [first] = left.values();
  if (first === undefined) return [];
  return [
    problem(first, `waits for itself: ${[...left.keys()].join(", ")} depend on each other in a circle`),
  ];
}

/** Two slices that may be worked on at once must not name one file. */
function clashes(slices: readonly Slice[]): SpecProblem[] {
  const free = slices.filter(({ parallelSafe }) => parallelSafe);
  return free.flatMap((slice, index) =>
    free.slice(0, index).flatMap((other) => {
      if (follows(slice, other, slices) || follows(other, slice, slices)) return [];
      const file = slice.files.find((name) => other.files.includes(name));
      return file === undefined
        ? []
        : [problem(slice, `is parallel-safe like slice ${other.number}, and both change ${file}`)];
    }),
  );
}

/** Whether `later` comes after `earlier` by what it depends on. */
function follows(later: Slice, earlier: Slice, slices: readonly Slice[], seen = new Set<number>()): boolean {
  if (seen.has(later.number)) return false;
  seen.add(later.number);
  return later.depends.some(
    (number) =>
      number === earlier.number ||
      slices.some((slice) => slice.number === number && follows(slice, earlier, slices, seen)),
  );
}

function problem({ number, line }: Slice, message: string): SpecProblem {
  return { line, message: `slice ${number} ${message}` };
}
