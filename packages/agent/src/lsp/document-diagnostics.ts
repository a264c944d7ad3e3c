import type { Diagnostic } from "vscode-languageserver-protocol";
import type { NotLooked } from "../contract/language-servers.ts";
import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";
import { Deadline } from "./bounded.ts";
import type { Reply } from "./connection.ts";
import type { LanguageServer } from "./language-server.ts";
import { notAnswered } from "./not-answered.ts";
import type { OpenDocument } from "./open-documents.ts";
import { diagnosticsIn } from "./published-diagnostics.ts";
import { TSSERVER_COMMAND, tsserverDiagnostics } from "./tsserver-diagnostics.ts";

/** What is known of a document as it is now. */
export type Diagnosed = { state: "known"; items: readonly Diagnostic[] } | NotLooked;

export interface DiagnoseOptions {
  ms: number;
  /** How long nothing more may come before what was published counts as all. */
  settleMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Answers that mean "ask again": the server was overtaken by a change or by its own work. */
const ASK_AGAIN = new Set([-32801, -32802]);

/**
 * The diagnostics of the document's present version: asked for where the server can be asked, else what it publishes for this
 * version. An empty answer of a server that is still busy is none.
 */
export async function diagnose(
  server: LanguageServer,
  document: OpenDocument,
  options: DiagnoseOptions,
): Promise<Diagnosed> {
  const { version } = document;
  const deadline = new Deadline(options.clock, options.ms);
  const found = await byTheWayItHas(server, document, deadline, options);
  if (found.state === "known" && document.version !== version)
    return unknown("timeout", "the file was changed again meanwhile");
  const { doing } = server.progress;
  if (found.state === "known" && found.items.length === 0 && doing !== null)
    return unknown("indexing", `${server.name} is still busy: ${doing}`);
  return found;
}

function byTheWayItHas(
  server: LanguageServer,
  document: OpenDocument,
  deadline: Deadline,
  options: DiagnoseOptions,
): Promise<Diagnosed> {
  if (server.definition.checks === "tsserver" && server.features.commands.includes(TSSERVER_COMMAND))
    return checked(server, document, deadline, options);
  if (canBePulled(server)) return pulled(server, document, deadline, options);
  return published(server, document, deadline, options);
}

async function checked(
  server: LanguageServer,
  document: OpenDocument,
  deadline: Deadline,
  { signal }: DiagnoseOptions,
): Promise<Diagnosed> {
  const answer = await tsserverDiagnostics(document.path, (command, params) =>
    server.request(command, params, { ms: deadline.left, signal }),
  );
  return "kind" in answer ? notAnswered(answer, server) : { state: "known", items: answer };
}

async function pulled(
  server: LanguageServer,
  document: OpenDocument,
  deadline: Deadline,
  { clock, signal, settleMs }: DiagnoseOptions,
): Promise<Diagnosed> {
  for (;;) {
    const params = { textDocument: { uri: document.uri } };
    const reply: Reply = await server.request("textDocument/diagnostic", params, {
      ms: deadline.left,
      signal,
    });
    if (reply.kind === "error" && ASK_AGAIN.has(reply.code) && deadline.left > settleMs && !signal.aborted) {
      await clock.sleep(Math.min(settleMs, 100), signal);
      continue;
    }
    if (reply.kind !== "result") return notAnswered(reply, server);
    const { items } = (reply.result ?? {}) as { items?: unknown };
    if (items === undefined) return unknown("refused", `${server.name} answered without a list of problems`);
    const asked = diagnosticsIn(items);
    return { state: "known", items: [...asked, ...alsoPublished(server, document, asked)] };
  }
}

/** Some servers answer with what they know at once and publish what a slower check finds. */
function alsoPublished(
  server: LanguageServer,
  { path, version }: OpenDocument,
  asked: readonly Diagnostic[],
): readonly Diagnostic[] {
  const pushed = server.published.get(path);
  if (pushed === undefined || pushed.version !== version) return [];
  const known = new Set(asked.map(identity));
  return pushed.items.filter((item) => !known.has(identity(item)));
}

function identity({ range, message }: Diagnostic): string {
  return JSON.stringify([range.start, message]);
}

function canBePulled(server: LanguageServer): boolean {
  return server.features.can("textDocument/diagnostic");
}

/** Waits for a publish that speaks of this version, then until nothing more comes for a while. */
async function published(
  server: LanguageServer,
  document: OpenDocument,
  deadline: Deadline,
  options: DiagnoseOptions,
): Promise<Diagnosed> {
  const { clock, signal, settleMs } = options;
  const limit = new AbortController();
  const over = AbortSignal.any([limit.signal, signal, server.ended]);
  try {
    void clock.sleep(deadline.left, limit.signal).then(() => limit.abort(OVER));
    while (current(server, document) === undefined) {
      if (over.aborted) return late(server, signal);
      await server.published.next(over);
      // Some servers say only after their start that they want to be asked, and then publish nothing.
      if (canBePulled(server)) return pulled(server, document, deadline, options);
    }
    for (;;) {
      const { serial } = current(server, document) ?? { serial: -1 };
      const quiet = new AbortController();
      await Promise.race([
        clock.sleep(Math.min(settleMs, deadline.left), quiet.signal),
        server.published.next(AbortSignal.any([quiet.signal, over])),
      ]);
      quiet.abort(OVER);
      const now = current(server, document);
      if (now === undefined) return late(server, signal);
      if (over.aborted || now.serial === serial) return { state: "known", items: now.items };
    }
  } finally {
    limit.abort(OVER);
  }
}

/**
 * What was published of this version; of a server that names no versions, anything that came after the change was sent. One that does
 * also publishes of the file on the disk, which may be another text, while it starts.
 */
function current(server: LanguageServer, { path, version, sentAt }: OpenDocument) {
  const known = server.published.get(path);
  if (known === undefined) return undefined;
  if (known.version !== null) return known.version === version ? known : undefined;
  const named = server.definition.namesVersions === true || server.published.namesVersions;
  return !named && known.serial > sentAt ? known : undefined;
}

function late(server: LanguageServer, signal: AbortSignal): NotLooked {
  if (signal.aborted) return unknown("aborted", "the question was interrupted");
  if (server.ended.aborted) return unknown("crashed", `${server.name} has ended`);
  const { doing } = server.progress;
  return doing === null
    ? unknown("timeout", `${server.name} has said nothing about this version yet`)
    : unknown("indexing", `${server.name} is still busy: ${doing}`);
}

function unknown(code: NotLooked["code"], reason: string): NotLooked {
  return { state: "not_looked", code, reason };
}
