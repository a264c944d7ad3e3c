import type { TerminalProgram } from "@pi-ts/testkit";
import { usageOfTree } from "./process-usage.ts";

/** What typing cost. */
export interface KeyCost {
  /** From the key to its letter in the output, one value a key. */
  latenciesMs: number[];
  cpuMsPerKey: number;
}

/** Letters that occur nowhere else: each is typed once and found in the output again. */
const FIRST_LETTER = 0x100;
const MOST_KEYS = 128;

/** Types letters at the pace of a fast typist and waits for each to be drawn. At most 128 keys. */
export async function typeKeys(program: TerminalProgram, keys: number): Promise<KeyCost> {
  if (keys > MOST_KEYS) throw new Error(`${keys} keys are more than the ${MOST_KEYS} letters there are`);
  const latenciesMs: number[] = [];
  const before = usageOfTree(program.pid).cpuMs;
  for (let key = 0; key < keys; key++) {
    // Gaps of different length, so that keys do not fall into step with frames.
    await Bun.sleep(20 + ((key * 7) % 23));
    latenciesMs.push(await typeOne(program, String.fromCodePoint(FIRST_LETTER + key)));
  }
  return { latenciesMs, cpuMsPerKey: (usageOfTree(program.pid).cpuMs - before) / keys };
}

function typeOne(program: TerminalProgram, letter: string): Promise<number> {
  return new Promise((resolve, reject) => {
    void program.exited.then(({ code }) =>
      reject(new Error(`pi ended, code ${code}, while keys were typed`)),
    );
    const from = program.output.length;
    const stop = program.onOutput((_, at) => {
      if (program.output.indexOf(letter, from) < 0) return;
      stop();
      resolve(at - sentAt);
    });
    const sentAt = performance.now();
    program.type(letter);
  });
}
