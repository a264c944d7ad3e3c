import type { SessionsPorts } from "../../commands/sessions/sessions-ports.ts";
import type { SessionTranscript } from "../../contract/transcript.ts";
import type { Streams } from "../../modes/shared/surface.ts";
import { visibleText } from "../../modes/shared/visible-text.ts";
import { systemClock } from "../../platform/clock.ts";
import { askYesNo } from "../ask-terminal.ts";
import type { Notices } from "../notices.ts";
import { ownId, sessionStore } from "../open-session.ts";
import type { Place } from "../place.ts";
import { rowOf } from "./session-row.ts";

export interface SessionsParts {
  place: Place;
  streams: Streams;
  notices: Notices;
}

/** What `pi sessions` needs; each part is loaded at its first use. */
export function sessionsPort(parts: SessionsParts): SessionsPorts["sessions"] {
  const { place, streams, notices } = parts;
  const store = sessionStore(place.home, notices);
  /** Damage that was found on the way is told beside the result. */
  const tell = async (): Promise<void> => {
    for (const { level, message } of notices.take()) await streams.err(`${level}: ${visibleText(message)}\n`);
  };
  const read = async (idOrPrefix: string): Promise<SessionTranscript> => {
    const transcript = store.transcript(await ownId(store, idOrPrefix, notices));
    await tell();
    return transcript;
  };
  return {
    clock: systemClock,
    list: (all) => Promise.resolve(store.list(all ? {} : { cwd: place.cwd }).map(rowOf)),
    async show(idOrPrefix) {
      const { detailsOf } = await import("./session-details.ts");
      const transcript = await read(idOrPrefix);
      return detailsOf(transcript, store.folderOf(transcript.meta.id));
    },
    async search(words, options, signal) {
      const { searchSessions } = await import("./search-port.ts");
      return searchSessions(parts, words, options, signal);
    },
    async export(idOrPrefix, { format, output, redact }) {
      const { documentOf, exportToFile, secretsOf } = await import("./export-file.ts");
      const transcript = await read(idOrPrefix);
      const { id } = transcript.meta;
      const request = { format, redact, secrets: secretsOf(place.environment) };
      if (output !== "-" && (output !== null || streams.outIsTerminal))
        return { id, ...(await exportToFile(transcript, request, place.cwd, output)) };
      let bytes = 0;
      for (const piece of await documentOf(transcript, request)) {
        bytes += Buffer.byteLength(piece);
        await streams.out(piece);
      }
      return { id, file: null, bytes };
    },
    find: async (idOrPrefix) => rowOf(store.find(idOrPrefix)),
    async remove(id) {
      store.remove(id);
    },
    async import(path) {
      const { readForeignSession } = await import("../../session/import/read-session.ts");
      const imported = readForeignSession(path);
      const session = store.adopt(imported);
      return { session: rowOf(session), messages: imported.log.messages, notes: imported.notes.sentences() };
    },
    confirm: (question, signal) => askYesNo(question, streams, signal),
  };
}
