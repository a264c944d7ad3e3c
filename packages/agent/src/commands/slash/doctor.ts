import type { SlashCommand } from "../../contract/slash-command.ts";
import { type DoctorPorts, doctorCommand } from "../doctor.ts";
import { slashInfo } from "./slash-infos.ts";

/** `/doctor`: what `pi doctor` says. */
export const doctorSlashCommand: SlashCommand<DoctorPorts> = {
  ...slashInfo("doctor"),
  async run(_argument, { ports, signal }) {
    const { exitCode, blocks } = await doctorCommand.run({ words: [], options: {} }, ports, signal);
    return { blocks, ...(exitCode === 0 ? {} : { failed: true as const }) };
  },
};
