import type { LanguageServers, Looked } from "../../../contract/language-servers.ts";

/** Language servers that give one answer to every question, and remember what they were asked. */
export function scriptedServers(looked: Looked<never[] | string> | { throws: Error } | { value: unknown }) {
  const questions: unknown[][] = [];
  const answer = (...question: unknown[]) => {
    // The signal is of no interest.
    questions.push(question.slice(0, -1));
    if ("throws" in looked) return Promise.reject(looked.throws);
    return Promise.resolve(
      "state" in looked ? looked : { state: "answer", server: "scripted", value: looked.value },
    ) as Promise<never>;
  };
  const servers: LanguageServers = {
    diagnostics: answer,
    symbols: answer,
    definition: answer,
    references: answer,
    hover: answer,
  };
  return { servers, questions };
}
