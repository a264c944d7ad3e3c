import { type Message, textOf } from "../../contract/messages.ts";
import type { SlashCommand, SlashOutcome } from "../../contract/slash-command.ts";
import { codeBlocks } from "./shared/code-blocks.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { counted } from "./shared/format.ts";
import { refused, said } from "./shared/outcome.ts";
import { transcriptMarkdown } from "./shared/transcript-markdown.ts";
import { slashInfo } from "./slash-infos.ts";

export interface CopyPorts {
  conversation: {
    /** The current branch; only read. */
    messages(): readonly Message[];
  };
  clipboard: {
    /**
     * Puts a text onto the system's clipboard, or gives it to the terminal to do so (which may refuse without a word). `reason`
     * says, as a whole sentence, why neither could be done.
     */
    write(text: string): Promise<"clipboard" | "terminal" | { reason: string }>;
  };
}

/** `/copy [last|all|code [N]]`: the last answer, the whole conversation or a code block onto the clipboard. */
export const copyCommand: SlashCommand<CopyPorts> = {
  ...slashInfo("copy"),
  complete: async (argument) =>
    completeWords(argument, [
      ["last", "the last answer"],
      ["all", "the whole conversation"],
      ["code", "a code block of the last answer that has any"],
    ]),
  async run(argument, { ports }) {
    const [word, rest] = firstWord(argument.toLowerCase());
    const messages = ports.conversation.messages();
    if ((word === "" || word === "last") && rest === "") return copyLast(messages, ports);
    if (word === "all" && rest === "") return copyAll(messages, ports);
    if (word === "code") return copyCode(rest, messages, ports);
    return refused(`/copy does not know "${argument}".`, "/copy, /copy all or /copy code N.");
  },
};

function copyLast(messages: readonly Message[], ports: CopyPorts): Promise<SlashOutcome> | SlashOutcome {
  const answer = answers(messages).next();
  if (answer.done) return refused("There is no answer to copy yet.");
  return put(answer.value.trim(), "The last answer", ports);
}

function copyAll(messages: readonly Message[], ports: CopyPorts): Promise<SlashOutcome> | SlashOutcome {
  if (messages.length === 0) return refused("There is nothing to copy yet: the conversation is empty.");
  return put(
    transcriptMarkdown(messages),
    `The conversation (${counted(messages.length, "message")})`,
    ports,
  );
}

function copyCode(
  number: string,
  messages: readonly Message[],
  ports: CopyPorts,
): Promise<SlashOutcome> | SlashOutcome {
  if (number !== "" && !/^[1-9]\d{0,5}$/.test(number))
    return refused(`"${number}" is no number of a code block.`, "/copy code 1 copies the first one.");
  for (const answer of answers(messages)) {
    const blocks = codeBlocks(answer);
    if (blocks.length === 0) continue;
    const index = number === "" ? blocks.length : Number(number);
    const block = blocks[index - 1];
    if (block === undefined)
      return refused(
        `There is no code block ${number}: the last answer with code has ${counted(blocks.length, "code block")}.`,
      );
    return put(
      block,
      blocks.length === 1 ? "The code block" : `Code block ${index} of ${blocks.length}`,
      ports,
    );
  }
  return refused("No answer of this conversation has a code block.", "/copy copies the last answer.");
}

/** The model's texts, the latest first. */
function* answers(messages: readonly Message[]): Generator<string> {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    const text = message.role === "assistant" ? textOf(message.parts) : "";
    if (text.trim() !== "") yield text;
  }
}

async function put(text: string, what: string, { clipboard }: CopyPorts): Promise<SlashOutcome> {
  const result = await clipboard.write(text);
  const size = `${counted([...text].length, "character")}, ${counted(text.split("\n").length, "line")}`;
  if (result === "clipboard") return said(`${what} is on the clipboard (${size}).`);
  if (result === "terminal")
    return said(
      `${what} was given to the terminal for the clipboard (${size}); a terminal that does not allow that drops it.`,
    );
  return refused(`${what} was not copied: ${result.reason}`);
}
