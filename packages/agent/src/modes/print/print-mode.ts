import type { AgentEvent } from "../../contract/events.ts";
import type { RunEnd, Streams } from "../shared/surface.ts";
import { visibleText } from "../shared/visible-text.ts";
import { statusLine } from "./status-line.ts";

/**
 * Prints the answer on stdout and everything else on stderr. On a terminal text is shown as it arrives; into a pipe only
 * the final answer goes, once it is known to be the final one.
 */
export async function runPrintMode(events: AsyncIterable<AgentEvent>, streams: Streams): Promise<RunEnd> {
  let end: RunEnd = { stop: "error", text: "" };
  let openLine = false;
  const closeLine = async () => {
    if (openLine) await streams.out("\n");
    openLine = false;
  };
  for await (const event of events) {
    if (event.type === "text_delta") {
      if (!streams.outIsTerminal) continue;
      await streams.out(visibleText(event.delta));
      openLine = !event.delta.endsWith("\n");
      continue;
    }
    if (event.type === "message_end") {
      end = { stop: event.stop_reason, text: event.text };
      if (!streams.outIsTerminal && event.text !== "") {
        await streams.out(event.text);
        openLine = !event.text.endsWith("\n");
      }
      await closeLine();
    } else if (event.type === "turn_end") await closeLine();
    const line = statusLine(event);
    if (line !== null) await streams.err(`${visibleText(line)}\n`);
  }
  return end;
}
