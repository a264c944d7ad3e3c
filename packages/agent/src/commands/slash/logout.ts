import type { SlashCommand } from "../../contract/slash-command.ts";
import type { LoginPorts } from "../login/login-ports.ts";
import { stateWords } from "../login/login-words.ts";
import { runLogout } from "../login/run-logout.ts";
import { completeWords } from "./shared/complete-words.ts";
import { slashInfo } from "./slash-infos.ts";

/** `/logout [provider]`: acts with the next request. */
export const logoutSlashCommand: SlashCommand<LoginPorts> = {
  ...slashInfo("logout"),
  async complete(argument, { login }) {
    const states = await login.states();
    return completeWords(
      argument,
      states.map((state) => [state.provider, stateWords(state, login.now())] as const),
    );
  },
  run: (argument, context) => runLogout(argument.trim() === "" ? null : argument.trim(), context),
};
