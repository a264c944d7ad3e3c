import { extname } from "node:path";
import type { PendingCall } from "../../contract/callbacks.ts";
import { isPiError } from "../../contract/errors.ts";
import type { FileDoor, ReadLedger } from "../../contract/files.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { NotLooked } from "../../contract/language-servers.ts";
import type { Clock } from "../../contract/services.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { Deadline } from "../bounded.ts";
import type { LanguageServersOfSession } from "../create-language-servers.ts";
import { FILE_CHANGE } from "../file-change.ts";
import type { LanguageServer } from "../language-server.ts";
import { readSource, type SourceText, trySource } from "../source-text.ts";
import { formatFile } from "./format-file.ts";
import { reportFormatting } from "./formatting-report.ts";
import { KnownProblems } from "./known-problems.ts";
import { problemChange } from "./problem-change.ts";
import { reportElsewhere, reportProblems } from "./problem-report.ts";

/** Calls whose texts are remembered; one that is refused never comes back for its own. */
const MOST_CALLS = 64;
/** What stays for the look after the change, however long the look before it took. Milliseconds. */
const KEPT_FOR_LOOK_MS = 500;
/** Reasons that hold for the whole language, and are said once. */
const LASTING = new Set<NotLooked["code"]>(["no_server", "not_trusted", "unsupported", "disabled"]);

export interface AfterEditParts {
  servers: LanguageServersOfSession;
  files: FileDoor;
  ledger: ReadLedger;
  clock: Clock;
  /** Whether changed files are formatted. */
  format: boolean;
}

/** A file as it was before a call; null: it was not there, or is no text. */
interface Before {
  path: string;
  text: string | null;
  existed: boolean;
  /** How many changes of ours there had been. */
  changes: number;
}

/** One line or more for the end of a result, and fields for its details. */
interface Report {
  text: string[];
  details: JsonObject;
}

/** What language servers add to calls that change a file: they format it, and say which problems came and went. */
export class AfterEdit {
  readonly #parts: AfterEditParts;
  readonly #problems: KnownProblems;
  readonly #before = new Map<string, Before>();
  /** The number of the last change of each file, and of all. */
  readonly #lastChange = new Map<string, number>();
  #changes = 0;
  /** What was said once and is not repeated. */
  readonly #told = new Set<string>();

  constructor(parts: AfterEditParts) {
    this.#parts = parts;
    this.#problems = new KnownProblems(parts.files, parts.clock, parts.servers.limits.settleMs);
  }

  /** Remembers the file as it is before the call. Starts nothing and waits for nothing. */
  before(call: PendingCall): void {
    const file = fileOf(call);
    if (file === null) return;
    const { files } = this.#parts;
    const source = trySource(files, file);
    const existed = source !== null || safely(() => files.exists(file)) === true;
    const path = source?.path ?? safely(() => files.real(file)) ?? file;
    this.#before.set(call.id, { path, text: source?.text ?? null, existed, changes: this.#changes });
    if (this.#before.size > MOST_CALLS) this.#before.delete(this.#before.keys().next().value!);
  }

  /** Formats and looks, within the limits; undefined when there is nothing to say. */
  async after(
    call: PendingCall,
    outcome: ToolOutcome,
    signal: AbortSignal,
  ): Promise<ToolOutcome | undefined> {
    const before = this.#before.get(call.id);
    this.#before.delete(call.id);
    const file = fileOf(call);
    if (file === null || outcome.isError || outcome.details["unchanged"] === true) return undefined;
    const report = await this.#report(file, before, signal);
    if (report.text.length === 0 && Object.keys(report.details).length === 0) return undefined;
    return {
      ...outcome,
      text: [outcome.text, ...report.text].join("\n"),
      details: { ...outcome.details, ...report.details },
    };
  }

  async #report(file: string, before: Before | undefined, signal: AbortSignal): Promise<Report> {
    const { files, servers } = this.#parts;
    const source = safely(() => readSource(files, file));
    if (source === undefined) return NOTHING;
    const { pool } = servers.workspace;
    const language = pool.languageOf("state" in source ? file : source.path);
    if (language === null) return NOTHING;
    if ("state" in source) return this.#unavailable(source, source.reason);
    servers.workspace.fileChanged(
      source.path,
      before?.existed === false ? FILE_CHANGE.created : FILE_CHANGE.changed,
    );
    const forFormat = new Deadline(this.#parts.clock, servers.limits.formatMs);
    const patience = { ms: forFormat.left, signal, sinceStart: true };
    const server = await servers.workspace.serverFor(source.path, "diagnose", patience);
    const forLook = new Deadline(this.#parts.clock, servers.limits.diagnosticsMs);
    if (!("state" in server)) {
      await this.#lookBefore(server, source.path, before, forLook, signal);
      this.#problems.learn(server, source.path);
    }
    this.#lastChange.set(source.path, ++this.#changes);
    const formatted = await this.#format(source, forFormat, signal);
    const now = formatted.source ?? source;
    const looked =
      "state" in server
        ? this.#unavailable(server, language)
        : await this.#look(server, now, forLook, signal);
    return {
      text: [...formatted.report.text, ...looked.text],
      details: { ...formatted.report.details, ...looked.details },
    };
  }

  /** Learns what was wrong before the change, where that is not known and there is time. */
  async #lookBefore(
    server: LanguageServer,
    path: string,
    before: Before | undefined,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<void> {
    if (before === undefined || this.#stuck(server) !== null) return;
    if (!before.existed) this.#problems.nothingBefore(path);
    // A later call of one answer: what it changed is not this text, but what the call before it left.
    if (before.text === null || (this.#lastChange.get(path) ?? 0) > before.changes) return;
    if (this.#problems.known(path, before.text)) return;
    const ms = Math.max(0, deadline.left - KEPT_FOR_LOOK_MS);
    await this.#problems.look(server, server.documents.show(path, before.text, false), { ms, signal });
  }

  async #format(
    source: SourceText,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<{ report: Report; source?: SourceText }> {
    const { files, ledger, servers, format } = this.#parts;
    const { workspace } = servers;
    if (!format || !workspace.pool.formats(source.path)) return { report: NOTHING };
    // Something else (a hook) has changed it since: it is theirs.
    if (ledger.state(files.key(source.path), source.bytes) !== "current") return { report: NOTHING };
    const server = await workspace.serverFor(source.path, "format", {
      ms: deadline.left,
      signal,
      sinceStart: true,
    });
    if ("state" in server || this.#stuck(server) !== null) return { report: NOTHING };
    let shown: Awaited<ReturnType<typeof reportFormatting>> | undefined;
    const formatted = await formatFile({ files, ledger, workspace }, server, source, {
      ms: deadline.left,
      signal,
      shownWhole: async (before, after) => {
        shown = await reportFormatting(before, after);
        return shown.complete;
      },
    });
    if (formatted.state === "same") return { report: NOTHING };
    if (formatted.state === "not_done")
      return { report: { text: [`Not formatted: ${formatted.reason}.`], details: { lsp_formatted: false } } };
    workspace.fileChanged(source.path, FILE_CHANGE.changed);
    const now = trySource(files, source.path);
    const head = `${server.name} formatted the file; these lines are now:`;
    return {
      report: { text: [`${head}\n${shown?.text ?? ""}`], details: { lsp_formatted: true } },
      ...(now === null ? {} : { source: now }),
    };
  }

  async #look(
    server: LanguageServer,
    source: SourceText,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<Report> {
    const owes = this.#stuck(server);
    if (owes !== null) return unknown(owes);
    const { workspace } = this.#parts.servers;
    await workspace.refresh(server);
    const before = this.#problems.latest(source.path);
    const document = workspace.show(server, source);
    const look = await this.#problems.look(server, document, { ms: deadline.left, signal });
    if (look.state === "not_looked") return unknown(look.reason);
    const own = reportProblems(
      server.name,
      source.shown,
      problemChange(before, look.problems),
      before !== null,
    );
    const others = reportElsewhere(
      await this.#problems.elsewhere(server, source.path, { ms: deadline.left, signal }),
    );
    return {
      text: [own.text, ...(others.text === "" ? [] : [others.text])],
      details: { lsp_diagnostics: [...own.lines, ...others.lines] },
    };
  }

  /** Why a server is not waited for; null when it is. */
  #stuck({ overdueMs, name }: LanguageServer): string | null {
    const { patienceMs } = this.#parts.servers.limits;
    return overdueMs === 0 || overdueMs < patienceMs
      ? null
      : `${name} has not answered for ${(overdueMs / 1000).toFixed(1)} s`;
  }

  /** Says why nothing was looked at: lasting reasons once for each language (or file), passing ones every time. */
  #unavailable(why: NotLooked, about: string): Report {
    if (why.code === "aborted") return NOTHING;
    const lasting = LASTING.has(why.code) || why.code === "too_large" || why.code === "not_text";
    if (!lasting) return unknown(why.reason);
    if (this.#told.has(about)) return NOTHING;
    this.#told.add(about);
    return { text: [`LSP unavailable: ${why.reason}.`], details: { lsp_unavailable: why.reason } };
  }
}

const NOTHING: Report = { text: [], details: {} };

function unknown(reason: string): Report {
  return {
    text: [`Diagnostics unknown: ${reason}.`],
    details: { lsp_unavailable: reason },
  };
}

function fileOf(call: PendingCall): string | null {
  if (call.kind !== "edit") return null;
  const path = call.input["file_path"] ?? call.input["path"];
  return typeof path === "string" && extname(path) !== "" ? path : null;
}

function safely<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isPiError(thrown)) return undefined;
    throw thrown;
  }
}
