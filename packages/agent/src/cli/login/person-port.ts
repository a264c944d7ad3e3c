import type { LoginCommandPorts } from "../../commands/login.ts";
import { isPiError, PiError } from "../../contract/errors.ts";
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
      try {
        const { text } = await readPipedInput(true, signal);
        if (text !== null && text.trim() !== "") return text;
      } catch (thrown) {
        // Its advice is for prompts: a key must not come to lie in a project.
        if (isPiError(thrown)) throw noKey(`what came on stdin is no key: ${thrown.message}`);
        throw thrown;
      }
      throw noKey("no key came on stdin");
    },
  };
}

function noKey(message: string): PiError {
  return new PiError({
    code: "no_key",
    message,
    hint: "pi login PROVIDER --key-stdin < FILE, or from a password manager by a pipe",
    exitCode: 2,
  });
}
