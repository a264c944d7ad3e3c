import type { NewMemory, Provenance } from "../memory/record.ts";
import type { Screen, Screened } from "../ports/screen.ts";
import { words } from "../text/tokenize.ts";
import type { CapturedEntry } from "./captured-entry.ts";
import type { AnswerInput, ToolInput, TypedInput } from "./observation.ts";
import type { RecalledEcho } from "./recalled-echo.ts";
import { extractStatements } from "./statements/extract-statements.ts";
import { withoutFrames } from "./statements/spoken-text.ts";
import { outputEnds } from "./tools/error-line.ts";
import { callPaths, toolRole } from "./tools/tool-call.ts";
import { noteOf } from "./tools/tool-note.ts";

/** An input that was accepted and waits to be screened. */
export type Arrival =
  | { readonly weight: "typed"; readonly input: TypedInput; readonly at: number }
  | { readonly weight: "answer"; readonly input: AnswerInput; readonly at: number }
  | { readonly weight: "tool"; readonly input: ToolInput; readonly at: number };

export interface EntryParts {
  readonly host: string;
  readonly screen: Screen;
  readonly echo: RecalledEcho;
  readonly isExcluded: (call: { readonly tool: string; readonly paths: readonly string[] }) => boolean;
  /** Statements wait for review. */
  readonly review: boolean;
}

/** What became of an arrival: entries, or the reason why there are none. */
export interface Made {
  readonly entries: readonly (CapturedEntry & { readonly sameAs: string })[];
  readonly findings: Screened["findings"];
  readonly reason?: "tool" | "path" | "recalled" | "empty" | "screened" | "quiet";
}

/** More than this is not even screened. */
const MOST_READ = 64_000;
const LONGEST = { typed: 16_000, answer: 8_000 } as const;
/** What is left of an answer that repeats memories says something only from so many words on; before that it only led to them. */
const LEAST_OWN_WORDS = 8;
const REDACTION_MARK = "[redacted:";
const REDACTED = /\[redacted:[^\]]*\]/gu;

/** Makes the entries of an arrival: screened first, without recalled memories. Rejects only when screening does. */
export async function makeEntries(parts: EntryParts, arrival: Arrival): Promise<Made> {
  switch (arrival.weight) {
    case "typed":
      return typedEntries(parts, arrival.input, arrival.at);
    case "answer":
      return answerEntries(parts, arrival.input, arrival.at);
    case "tool":
      return toolEntries(parts, arrival.input, arrival.at);
  }
}

/** The id an arrival is known by. */
export function arrivalId({ weight, input }: Arrival): string {
  const own = weight === "tool" ? `call:${input.callId}` : input.messageId;
  return `${input.context.sessionId}\n${weight === "answer" ? `answer:${own}` : own}`;
}

async function typedEntries(parts: EntryParts, input: TypedInput, at: number): Promise<Made> {
  const { text, findings } = await parts.screen.screen(withoutFrames(input.text.slice(0, MOST_READ)));
  const said = cut(text, LONGEST.typed);
  if (isBare(said)) return { entries: [], findings, reason: input.text.trim() === "" ? "empty" : "screened" };
  const provenance = (messageId: string): Provenance => ({
    host: parts.host,
    sessionId: input.context.sessionId,
    messageId,
    author: { role: "user", ...(input.author === undefined ? {} : { name: input.author }) },
    typed: true,
  });
  const entry = (messageId: string, memory: Pick<NewMemory, "kind" | "text" | "subject" | "state">) => ({
    id: `${input.context.sessionId}\n${messageId}`,
    weight: "typed" as const,
    sameAs: `${memory.kind}\n${memory.text}`,
    memory: { ...memory, scope: input.context.writes, provenance: provenance(messageId), at },
  });
  const statements = extractStatements(said).filter(
    // A statement that only repeats what was recalled would lend an agent's words a person's authority.
    (statement) => !statement.text.includes(REDACTION_MARK) && !parts.echo.repeats(statement.text),
  );
  return {
    findings,
    entries: [
      entry(input.messageId, { kind: "prompt", text: said }),
      ...statements.map(({ kind, text: stated, subject }, index) =>
        entry(`${input.messageId}#${index + 1}`, {
          kind,
          text: stated,
          ...(subject === undefined ? {} : { subject }),
          ...(parts.review ? { state: "candidate" as const } : {}),
        }),
      ),
    ],
  };
}

async function answerEntries(parts: EntryParts, input: AnswerInput, at: number): Promise<Made> {
  const own = parts.echo.strip(input.text.slice(0, MOST_READ));
  if (isBare(own)) {
    return { entries: [], findings: [], reason: input.text.trim() === "" ? "empty" : "recalled" };
  }
  const { text, findings } = await parts.screen.screen(own);
  const said = cut(text.trim(), LONGEST.answer);
  if (isBare(said)) return { entries: [], findings, reason: "screened" };
  const bare = withoutFrames(input.text.slice(0, MOST_READ));
  const repeats = words(own).length < words(bare).length;
  if (repeats && words(said.replace(REDACTED, "")).length < LEAST_OWN_WORDS)
    return { entries: [], findings, reason: "recalled" };
  const messageId = `answer:${input.messageId}`;
  return {
    findings,
    entries: [
      {
        id: `${input.context.sessionId}\n${messageId}`,
        weight: "answer",
        sameAs: said,
        memory: {
          kind: "answer",
          scope: input.context.writes,
          text: said,
          provenance: unauthorized(parts.host, input.context.sessionId, messageId, "agent"),
          at,
        },
      },
    ],
  };
}

async function toolEntries(parts: EntryParts, input: ToolInput, at: number): Promise<Made> {
  const nothing = (reason: NonNullable<Made["reason"]>): Made => ({ entries: [], findings: [], reason });
  if (toolRole(input.tool) === "memory") return nothing("recalled");
  const paths = callPaths(input);
  if (parts.isExcluded({ tool: input.tool, paths: [] })) return nothing("tool");
  if (parts.isExcluded({ tool: input.tool, paths })) return nothing("path");
  const note = noteOf({ ...input, output: withoutFrames(outputEnds(input.output)) });
  if (note === undefined) return nothing("quiet");
  if (parts.echo.repeats(note.text)) return nothing("recalled");
  const [title, text, ...files] = await Promise.all(
    [note.title, note.text, ...note.files].map((part) => parts.screen.screen(part)),
  );
  const messageId = `call:${input.callId}`;
  return {
    findings: [title!, text!, ...files].flatMap(({ findings }) => findings),
    entries: [
      {
        id: `${input.context.sessionId}\n${messageId}`,
        weight: "tool",
        sameAs: `${input.context.sessionId}\n${note.sameAs}`,
        memory: {
          kind: note.kind,
          scope: input.context.writes,
          ...(note.kind === "toolnote" ? {} : { title: title!.text }),
          text: text!.text,
          files: files.map((file) => file.text),
          provenance: unauthorized(parts.host, input.context.sessionId, messageId, "tool"),
          at,
        },
      },
    ],
  };
}

function unauthorized(
  host: string,
  sessionId: string,
  messageId: string,
  role: "agent" | "tool",
): Provenance {
  return { host, sessionId, messageId, author: { role }, typed: false };
}

/** Nothing is left but marks and signs. */
function isBare(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.replace(REDACTED, ""));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}\n[${text.length - longest} more letters are not kept]`;
}
