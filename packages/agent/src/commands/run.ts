import type { CommandDefinition, ParsedArguments } from "../contract/command.ts";
import { PiError } from "../contract/errors.ts";

/** What `pi run` needs. */
export interface RunSpecPorts {
  run: {
    /** Carries a spec out, telling of each step, and gives the exit code. Rejects with a PiError when it cannot begin. */
    spec(request: RunSpecRequest): Promise<number>;
  };
}

export interface RunSpecRequest {
  spec: string;
  /** Ask nothing. */
  yes: boolean;
  fresh: boolean;
  /** Null: as many as usual. */
  retries: number | null;
  /** Seconds that a gate or a verify command may take; null: as long as usual. */
  gateSeconds: number | null;
}

const MOST_RETRIES = 20;
const MOST_SECONDS = 86_400;

/** `pi run SPEC`: carries out a planned spec without a conversation. */
export const runSpecCommand: CommandDefinition<RunSpecPorts> = {
  name: "run",
  summary: "carry out a planned spec: slices, gates, review, merge",
  usage: "pi run SPEC [--yes] [--fresh] [--retries N] [--gate-timeout SECONDS] [--mode print|json]",
  options: [
    {
      name: "yes",
      short: "y",
      kind: "flag",
      summary: "ask nothing, also where nothing would check the work",
    },
    { name: "fresh", kind: "flag", summary: "begin anew instead of going on with an interrupted run" },
    { name: "retries", kind: "value", summary: "how often work is given back to be mended (default 3)" },
    { name: "gate-timeout", kind: "value", summary: "seconds that one check may take (default 600)" },
  ],
  // `pi run the tests` is a prompt.
  accepts: ({ words }) => words.length === 1,
  async run(parsed, { run }) {
    const [spec = ""] = parsed.words;
    const { yes, fresh } = parsed.options;
    const request = {
      spec,
      yes: yes === true,
      fresh: fresh === true,
      retries: numberOf(parsed, "retries", { least: 0, most: MOST_RETRIES }),
      gateSeconds: numberOf(parsed, "gate-timeout", { least: 1, most: MOST_SECONDS }),
    };
    return { exitCode: await run.spec(request), blocks: [] };
  },
};

/** The number that an option says; null when it is not there. Throws a usage error for anything else. */
function numberOf(
  { options }: ParsedArguments,
  name: string,
  { least, most }: { least: number; most: number },
): number | null {
  const value = options[name];
  if (typeof value !== "string") return null;
  const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new PiError({
    code: "usage",
    message: `--${name} takes a whole number from ${least} to ${most}, not "${value}"`,
    exitCode: 2,
  });
}
