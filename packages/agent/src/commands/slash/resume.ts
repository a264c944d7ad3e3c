import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import type { ClockPort } from "./shared/clock-port.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { age, counted, oneLine } from "./shared/format.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ResumePorts extends ClockPort {
  sessions: {
    /** Sessions that a person can go on with, the latest first: of this project, or of every one. */
    list(all: boolean, signal: AbortSignal): Promise<readonly SessionSummary[]>;
    /** Sessions of every project in which these words were said, the latest first; not all when there are very many. */
    search(words: string, signal: AbortSignal): Promise<readonly FoundSummary[]>;
    /**
     * Closes the conversation that is open and goes on with this one, with its model and branch. `notes` say what could not be
     * restored. Throws a PiError when it cannot be opened (in use elsewhere, gone, a run is in progress); the open one stays then.
     */
    open(id: string): Promise<{ messages: number; notes: readonly string[] }>;
  };
}

/** A session as lists show it. */
export interface SessionSummary {
  id: string;
  title?: string;
  /** The project folder, an absolute path. */
  cwd: string;
  /** Milliseconds since 1970. */
  updated: number;
  /** Absent when counting would cost too much. */
  messages?: number;
  model: string;
  /** It is the one that is open. */
  current: boolean;
}

/** A session with a line of what was said in it. */
export interface FoundSummary extends SessionSummary {
  snippet: string;
}

/** `/resume [id | words] [all]`: goes on with an earlier conversation. */
export const resumeCommand: SlashCommand<ResumePorts> = {
  ...slashInfo("resume"),
  async complete(argument, { sessions }, signal) {
    const found = await sessions.list(false, signal);
    return completeWords(argument, [
      ["all", "sessions of every project"],
      ...found
        .filter((session) => !session.current)
        .map((session) => [session.id, oneLine(session.title ?? "", 80)] as const),
    ]);
  },
  run: (argument, context) => resumeSession(argument, context),
};

/** What `/resume` and `/session list` do. */
export async function resumeSession(
  argument: string,
  context: SlashContext<ResumePorts>,
): Promise<SlashOutcome> {
  const { ports, signal } = context;
  const [first, rest] = firstWord(argument);
  const all = first === "all";
  const query = all ? rest : argument.trim();
  const listed = await ports.sessions.list(all, signal);
  if (signal.aborted) return said("Stopped; this conversation stays open.");
  const byId = query === "" ? [] : listed.filter((session) => session.id.startsWith(query.toLowerCase()));
  const named = byId.length > 0 ? byId : listed.filter((session) => matches(session, query));
  const spoken = query === "" || byId.length > 0 ? [] : await saidIn(query, named, context);
  const found = [...named, ...spoken];
  const onlyTheOpenOne = query === "" && found.every((session) => session.current);
  if (found.length === 0 || onlyTheOpenOne) return nothingFound(query, all, context);
  // What was only said somewhere is shown before it is opened.
  const only =
    named.length === 1 && spoken.length === 0 && query !== ""
      ? named[0]!
      : await choose(found, { all, query }, context);
  if (only === null) return said("This conversation stays open.");
  return open(only, ports);
}

/** Sessions in which the words were said, besides those that were found by name; those get their line too. */
async function saidIn(
  query: string,
  named: readonly SessionSummary[],
  { ports, signal }: SlashContext<ResumePorts>,
): Promise<FoundSummary[]> {
  const known = new Set(named.map(({ id }) => id));
  return (await ports.sessions.search(query, signal)).filter(({ id }) => !known.has(id));
}

async function nothingFound(
  query: string,
  all: boolean,
  { ports, signal }: SlashContext<ResumePorts>,
): Promise<SlashOutcome> {
  // an id is worth finding wherever it lies
  const elsewhere =
    all || query === ""
      ? []
      : (await ports.sessions.list(true, signal)).filter((entry) => entry.id.startsWith(query.toLowerCase()));
  if (elsewhere.length === 1) return open(elsewhere[0]!, ports);
  if (query === "")
    return said(
      all
        ? "There is no other saved session."
        : "This project has no other saved session; /resume all looks in every one.",
    );
  return refused(
    `No session ${all ? "" : "of this project "}matches "${oneLine(query, 80)}".`,
    all
      ? "/resume all lists every session."
      : "/resume lists this project's sessions; /resume all those of every project.",
  );
}

function choose(
  found: readonly (SessionSummary | FoundSummary)[],
  { all, query }: { all: boolean; query: string },
  { ports, dialogs, signal }: SlashContext<ResumePorts>,
): Promise<SessionSummary | null> {
  const now = ports.clock.now();
  const initial = found.findIndex((session) => !session.current);
  const everywhere = all || found.some((session) => "snippet" in session);
  const title =
    query !== ""
      ? `Go on with a session that has "${oneLine(query, 60)}"`
      : `Go on with a session of ${all ? "any" : "this"} project`;
  return dialogs.choose(
    {
      title,
      choices: found.map((session) => ({
        value: session,
        label: `${oneLine(session.title ?? "(no title)", 80)}${session.current ? " (open now)" : ""}`,
        description: [
          ...("snippet" in session && session.snippet !== "" ? [oneLine(session.snippet, 160)] : []),
          age(session.updated, now),
          ...(session.messages === undefined ? [] : [counted(session.messages, "message")]),
          session.model,
          ...(everywhere ? [session.cwd] : []),
          session.id,
        ].join(" · "),
      })),
      initial: Math.max(0, initial),
      filter: true,
    },
    signal,
  );
}

async function open(session: SessionSummary, { sessions }: ResumePorts): Promise<SlashOutcome> {
  if (session.current) return said(`Session ${session.id} is the one that is open.`);
  const { messages, notes } = await sessions.open(session.id);
  const title = session.title === undefined ? "" : ` "${oneLine(session.title, 80)}"`;
  return said(`Session ${session.id}${title} goes on with ${counted(messages, "message")}.`, ...notes);
}

function matches(session: SessionSummary, query: string): boolean {
  const text = `${session.title ?? ""} ${session.id} ${session.model} ${session.cwd}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
