import { delimiter, join } from "node:path";
import { executable, testHost, workspace } from "@pi-ts/testkit";
import { type Cost, compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

/** Popular packages, from one command to a tree of hundreds of modules. */
const PACKAGES = [
  "pi-subagents",
  "pi-web-access",
  "@aliou/pi-processes",
  "pi-aliases",
  "pi-prompt-template-model",
];

/** A one-shot start with five published Pi packages, as they are and compiled, beside one without; and one whose user keeps a folder for extensions that is empty. */
export async function benchExtensions(runs: number): Promise<Figure[]> {
  const folders = PACKAGES.flatMap((name) => testHost(name) ?? []);
  await using service = await benchService();
  // pi-subagents asks npm for its folder at each start; what is measured is loading.
  const files = { "a.txt": "one\n", "bin/npm": executable("#!/bin/sh\nexit 1\n") };
  await using without = await workspace(files);
  // As of somebody who has had them in a terminal before.
  await using compiled = await workspace(files);
  await using small = await workspace({ "a.txt": "one\n" });
  small.write(
    join(small.home, ".pi-go/extensions/one.ts"),
    "export default (pi) => { pi.registerCommand('one', { handler() {} }); };\n",
  );
  const flags = folders.flatMap((folder) => ["-e", folder]);
  const start = (space: typeof without, argv: readonly string[]) => () => {
    const command = piCommand(space, service.url, [...MODEL, ...argv, "-p", "hi"]);
    const path = `${join(without.path, "bin")}${delimiter}${command.environment["PATH"]}`;
    return runOnce({ ...command, environment: { ...command.environment, PATH: path } });
  };
  const measured = folders.length === PACKAGES.length;
  if (measured) await runOnce(piCommand(compiled, service.url, ["--compile-extensions", "--", ...folders]));
  const costs = await compare(runs, {
    none: start(without, []),
    off: start(small, ["--no-extensions"]),
    small: start(small, []),
    ...(measured ? { five: start(without, flags), compiled: start(compiled, flags) } : {}),
  });
  // Run by run, so that what else the machine does hits both.
  const paired = (name: string, compared: (some: Cost, none: Cost) => number) =>
    median(costs[name]!.map((cost, run) => compared(cost, costs["none"]![run]!)));
  const longer = (name: string) => paired(name, (some, none) => some.wallMs - none.wallMs);
  const off = paired("off", (some, none) => some.wallMs / none.wallMs);
  const beside = `without: ${ms(median(costs["none"]!.map(({ wallMs }) => wallMs)))}`;
  const figures: Figure[] = [
    {
      name: "one-shot start with --no-extensions",
      value: times(off),
      beside,
      goal: "≤ 1.05 ×",
      met: off <= 1.05,
    },
    {
      name: "one-shot start with one small extension",
      value: `${ms(longer("small"))} more`,
      beside,
      goal: "≤ 60 ms more",
      met: longer("small") <= 60,
    },
  ];
  if (costs["five"] === undefined) return figures;
  const five = (key: string, name: string, goal: number): Figure => {
    const peak = median(costs[key]!.map(({ peakMiB }) => peakMiB));
    const work = paired(key, (some, none) => some.cpuMs - none.cpuMs);
    return {
      name,
      value: `${ms(longer(key))} more, ${peak.toFixed(0)} MiB`,
      beside: `${beside}; processor time ${ms(work)} more`,
      goal: `≤ ${goal} ms more`,
      met: longer(key) <= goal,
    };
  };
  return [
    ...figures,
    five("compiled", "one-shot start with five Pi packages", 300),
    five("five", "the same, before they are compiled", 500),
  ];
}
