/** The parts of a memory that its vector stands for. The subject is one of them: a statement often does not name what it is about. */
export interface EmbeddedParts {
  readonly title?: string | undefined;
  readonly subject?: string | undefined;
  readonly text: string;
  readonly attachment?: string | undefined;
}

/** The text a memory's vector is made from, in every space. */
export function embeddedText({ title, subject, text, attachment }: EmbeddedParts): string {
  return [title, subject, text, attachment].filter((part) => part !== undefined && part !== "").join("\n");
}
