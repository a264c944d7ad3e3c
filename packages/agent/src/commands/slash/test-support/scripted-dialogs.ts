import type { CommandBlock } from "../../../contract/command.ts";
import type {
  ChoiceQuestion,
  ConfirmQuestion,
  Dialogs,
  TextQuestion,
} from "../../../contract/slash-command.ts";

/** The person's answer: a part of a choice's label, yes or no, a text, or null for Esc. */
export type ScriptedAnswer = string | boolean | null;

/** Dialogs whose person answers as written down; a question beyond the script fails the test. */
export class ScriptedDialogs implements Dialogs {
  readonly choices: ChoiceQuestion<unknown>[] = [];
  readonly confirms: ConfirmQuestion[] = [];
  readonly texts: TextQuestion[] = [];
  readonly #answers: ScriptedAnswer[];
  readonly #onQuestion: () => void;

  constructor(answers: readonly ScriptedAnswer[], onQuestion: () => void = () => undefined) {
    this.#answers = [...answers];
    this.#onQuestion = onQuestion;
  }

  async choose<T>(question: ChoiceQuestion<T>): Promise<T | null> {
    this.choices.push(question as ChoiceQuestion<unknown>);
    const answer = this.#next(question.title);
    question.onMark?.(question.choices[question.initial ?? 0]!.value);
    if (answer === null) return null;
    const choice = question.choices.find(({ label }) => label.includes(String(answer)));
    if (choice === undefined) throw new Error(`"${question.title}" has no choice "${String(answer)}"`);
    question.onMark?.(choice.value);
    return choice.value;
  }

  async confirm(question: ConfirmQuestion): Promise<boolean> {
    this.confirms.push(question);
    return this.#next(question.title) === true;
  }

  async ask(question: TextQuestion): Promise<string | null> {
    this.texts.push(question);
    const answer = this.#next(question.title);
    return answer === null ? null : String(answer);
  }

  #next(title: string): ScriptedAnswer {
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`nobody expected the question "${title}"`);
    this.#onQuestion();
    return answer;
  }
}

/** The words of blocks: texts as they are, rows of tables with ` | ` between their cells. */
export function wordsOf(blocks: readonly CommandBlock[]): string {
  return blocks
    .flatMap((block) =>
      block.kind === "table" ? [block.head, ...block.rows].map((row) => row.join(" | ")) : [block.text],
    )
    .filter((line) => line !== "")
    .join("\n");
}
