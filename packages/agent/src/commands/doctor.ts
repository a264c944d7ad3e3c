import type { CommandDefinition } from "../contract/command.ts";

/** One thing that was looked at. `hint` says what to do about it. */
export interface DoctorCheck {
  name: string;
  /** `ok` works; `limited` pi runs without it, with less; `missing` pi cannot run. */
  state: "ok" | "limited" | "missing";
  found: string;
  hint?: string;
}

export interface DoctorPorts {
  doctor: { checks(signal: AbortSignal): Promise<DoctorCheck[]> };
}

const MARKS = { ok: "ok", limited: "!", missing: "MISSING" } as const;

/** `pi doctor`: what is found and missing on this machine, and what to do. Exits with 1 when pi cannot run as it is. */
export const doctorCommand: CommandDefinition<DoctorPorts> = {
  name: "doctor",
  summary: "say what is found and missing, and what to do",
  usage: "pi doctor [--json]",
  options: [{ name: "json", kind: "flag", summary: "as JSON" }],
  accepts: ({ words }) => words.length === 0,
  async run(_parsed, { doctor }, signal) {
    const checks = await doctor.checks(signal);
    const missing = checks.filter((check) => check.state === "missing").length;
    return {
      exitCode: missing > 0 ? 1 : 0,
      blocks: [
        {
          kind: "table",
          head: [],
          rows: checks.map((check) => [MARKS[check.state], check.name, check.found]),
        },
        ...checks
          .filter((check) => check.state !== "ok" && check.hint !== undefined)
          .map((check) => ({ kind: "text" as const, text: `${check.name}: ${check.hint}` })),
        {
          kind: "text",
          text:
            missing > 0 ? "pi cannot answer prompts yet." : 'pi is ready: pi -p "what does this project do?"',
        },
      ],
      data: { ready: missing === 0, checks: checks.map((check) => ({ ...check })) },
    };
  },
};
