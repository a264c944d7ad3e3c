import { EXIT } from "../cli-error.ts";
import type { CommandCall, CommandDefinition } from "../command.ts";
import { describeFailure } from "../describe-failure.ts";
import { type Check, type Checker, failed } from "../doctor/check.ts";
import { checkCopies, checkOutbox, checkProject, checkVectors } from "../doctor/check-around.ts";
import { checkHosts } from "../doctor/check-hosts.ts";
import { checkSettings } from "../doctor/check-settings.ts";
import { checkTheStore } from "../doctor/check-store.ts";

const CHECKERS: Readonly<Record<string, Checker>> = {
  settings: checkSettings,
  store: checkTheStore,
  vectors: checkVectors,
  project: checkProject,
  outbox: checkOutbox,
  copies: checkCopies,
  hosts: checkHosts,
};

/** `remem doctor`: whether everything is well, and what to do. */
export const doctorCommand: CommandDefinition = {
  name: "doctor",
  summary: "whether everything is well, and what to do where it is not",
  usage: "",
  words: { least: 0, most: 0 },
  options: {},
  notes: ["Exits with 1 when something is broken. It changes nothing and names no memory."],
  async run(call) {
    const checks: Check[] = [];
    for (const [name, checker] of Object.entries(CHECKERS))
      checks.push(...(await looked(name, checker, call, checks)));
    const broken = checks.filter(({ status }) => status === "error").length;
    // The checks say it all.
    call.memory.notices.length = 0;
    return {
      exitCode: broken > 0 ? EXIT.failed : EXIT.done,
      blocks: checks.flatMap(({ name, status, found, hint }) => [
        `[${status}] ${name}: ${found}`,
        ...(hint === "" ? [] : [`        ${hint}`]),
      ]),
      data: { healthy: broken === 0, checks: checks.map((check) => ({ ...check })) },
    };
  },
};

/** What one checker found. One that cannot look says so once; the same failure of a later one adds nothing. */
async function looked(
  name: string,
  checker: Checker,
  call: CommandCall,
  before: readonly Check[],
): Promise<readonly Check[]> {
  try {
    return await checker(call);
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return before.some(({ found }) => found === message) ? [] : [failed(name, message, hint)];
  }
}
