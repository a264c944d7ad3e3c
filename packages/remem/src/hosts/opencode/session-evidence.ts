import { isAbsolute, relative } from "node:path";
import type { MemorySession } from "../../runtime/memory.ts";
import type { HostEvent, HostMessageInfo, HostPart } from "./host-types.ts";

type Evidence =
  | { readonly kind: "tool"; readonly part: HostPart }
  | {
      readonly kind: "answer";
      readonly sessionId: string;
      readonly messageId: string;
      readonly text: string;
    };

/** Texts that wait for the end of their message; more are never open at once. */
const MOST_OPEN = 200;
/** What a rule of the user's refused was not looked at: its arguments may name what must not be kept. */
const REFUSED = /rejected permission|rule which prevents/i;

/** Follows the host's events and tells what is evidence: final answers that are whole, and tool calls that ended, failures included. */
export class SessionEvidence {
  readonly #texts = new Map<string, Map<string, string>>();

  /** The evidence in an event; undefined for most. */
  read({ type, properties }: HostEvent): Evidence | undefined {
    if (type === "message.part.updated") return this.#part((properties as { part: HostPart }).part);
    if (type === "message.updated") return this.#message((properties as { info: HostMessageInfo }).info);
    return undefined;
  }

  #part(part: HostPart): Evidence | undefined {
    if (part.type === "tool") {
      const status = part.state?.status;
      const isOver = status === "completed" || (status === "error" && !REFUSED.test(part.state?.error ?? ""));
      return isOver ? { kind: "tool", part } : undefined;
    }
    if (part.type !== "text" || part.synthetic === true || part.time?.end === undefined) return undefined;
    let texts = this.#texts.get(part.messageID);
    if (texts === undefined) {
      texts = new Map();
      this.#texts.set(part.messageID, texts);
      const [oldest] = this.#texts.keys();
      if (this.#texts.size > MOST_OPEN && oldest !== undefined) this.#texts.delete(oldest);
    }
    texts.set(part.id, part.text ?? "");
    return undefined;
  }

  #message(info: HostMessageInfo): Evidence | undefined {
    if (info.role !== "assistant" || info.time.completed === undefined) return undefined;
    const texts = this.#texts.get(info.id);
    this.#texts.delete(info.id);
    // A summary is nobody's answer, and what was cut off or only led to a tool is none.
    if (texts === undefined || info.finish !== "stop" || info.summary === true || info.error !== undefined)
      return undefined;
    const text = [...texts.values()].join("\n");
    return { kind: "answer", sessionId: info.sessionID, messageId: info.id, text };
  }
}

/** Hands a tool call that ended to memory; paths below `root` as they are called in the project. */
export function captureTool(session: MemorySession, { callID, tool, state }: HostPart, root: string): void {
  if (callID === undefined || tool === undefined || state === undefined) return;
  const exitCode = state.metadata?.["exit"];
  const { input = {} } = state;
  const { filePath } = input;
  session.tool({
    callId: callID,
    tool,
    input: typeof filePath === "string" ? { ...input, filePath: inProject(root, filePath) } : input,
    output: state.output ?? state.error ?? "",
    failed: state.status === "error",
    ...(typeof exitCode === "number" ? { exitCode } : {}),
  });
}

function inProject(root: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(root, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/");
}
