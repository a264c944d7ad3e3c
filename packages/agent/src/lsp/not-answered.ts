import type { NotLooked } from "../contract/language-servers.ts";
import type { Reply } from "./connection.ts";
import type { LanguageServer } from "./language-server.ts";
import { plainWords } from "./plain-words.ts";

/** Why a request has no result, in words for the model. */
export function notAnswered(reply: Exclude<Reply, { kind: "result" }>, server: LanguageServer): NotLooked {
  const { name } = server;
  const { doing } = server.progress;
  switch (reply.kind) {
    case "aborted":
      return { state: "not_looked", code: "aborted", reason: "the question was interrupted" };
    case "dead":
      return {
        state: "not_looked",
        code: "crashed",
        reason: `${name} has failed: ${reply.reason}`,
        hint: "It is started again for the next question.",
      };
    case "error":
      return {
        state: "not_looked",
        code: "refused",
        reason: `${name} answered: ${plainWords(reply.message, 500)}`,
      };
    case "timeout":
      return doing === null
        ? {
            state: "not_looked",
            code: "timeout",
            reason: `${name} did not answer within ${secondsIn(reply.ms)} s`,
          }
        : { state: "not_looked", code: "indexing", reason: `${name} is still busy: ${doing}` };
  }
}

function secondsIn(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
