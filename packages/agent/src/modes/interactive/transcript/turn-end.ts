import type { RunStop } from "../../../contract/events.ts";
import type { ModelStop } from "../../../contract/messages.ts";
import type { ProgramMessage } from "./blocks/message-block.ts";

const interrupted: ProgramMessage = { mark: "■", role: "warning", text: "Interrupted" };
const noAnswer: ProgramMessage = { mark: "■", role: "warning", text: "The model ended without an answer" };
const cut: ProgramMessage = {
  mark: "■",
  role: "warning",
  text: "The answer was cut at the output limit",
  hint: 'Say "continue" for the rest.',
};

/** What is told at the end of a run; undefined when its end goes without saying. `told`: a notice or an error has just said why. */
export function runEndMessage(stop: RunStop, empty: boolean, told: boolean): ProgramMessage | undefined {
  switch (stop) {
    case "aborted":
      return interrupted;
    case "end":
      return empty ? noAnswer : undefined;
    case "length":
      return told ? undefined : cut;
    case "max_turns":
      return told
        ? undefined
        : { ...cut, text: "Stopped at the limit of turns", hint: "Send a message to go on." };
    case "limit":
      return told ? undefined : { mark: "■", role: "warning", text: "Stopped at a limit" };
    case "error":
      return told ? undefined : { mark: "✗", role: "error", text: "The answer broke off" };
  }
}

/** The same for a stored answer of a resumed conversation. `empty`: it has neither text nor calls. */
export function storedEndMessage(stop: ModelStop, empty: boolean): ProgramMessage | undefined {
  switch (stop) {
    case "aborted":
      return interrupted;
    case "error":
      return { mark: "✗", role: "error", text: "The answer broke off" };
    case "filtered":
      return { mark: "✗", role: "error", text: "The service refused to go on with this answer" };
    case "length":
      return cut;
    case "end":
      return empty ? noAnswer : undefined;
    case "tool":
      return undefined;
  }
}
