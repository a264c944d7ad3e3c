import type { LoginCommandPorts } from "../../commands/login.ts";
import { PiError } from "../../contract/errors.ts";
import type { Streams } from "../../modes/shared/surface.ts";
import type { Interruptions } from "../interruption.ts";
import { readPipedInput } from "../read-stdin.ts";

/** The person at the terminal, or what stands in for them on stdin. */
export function personPort(streams: Streams, interruptions: Interruptions): LoginCommandPorts["person"] {
  return {
    async dialogs() {
      const { terminalDialogs } = await import("./terminal-dialogs.ts");
      return terminalDialogs(streams, interruptions);
    },
    async keyFromStdin(signal) {
      const { text } = await readPipedInput(true, signal);
      if (text !== null && text.trim() !== "") return text;
      throw new PiError({
        code: "no_key",
        message: "no key came on stdin",
        hint: "pi login PROVIDER --key-stdin < FILE, or from a password manager by a pipe",
        exitCode: 2,
      });
    },
  };
}
