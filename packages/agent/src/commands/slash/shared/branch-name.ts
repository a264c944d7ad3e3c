const MOST_CHARACTERS = 100;

/** Why a branch cannot have this name, or null. Letters and digits of any script, and `. _ / -` inside; no word of the command itself. */
export function branchNameProblem(name: string, taken: Iterable<string>): string | null {
  if (name === "") return "The name of a branch is missing.";
  if ([...name].length > MOST_CHARACTERS)
    return `A branch's name has at most ${MOST_CHARACTERS} characters; this one has ${[...name].length}.`;
  if (
    !/^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}._/-]*[\p{L}\p{M}\p{N}_])?$/u.test(name) ||
    /\.\.|\/\/|\/\.|\.\//.test(name)
  )
    return `"${name}" is no name for a branch: letters, digits, and . _ / - between them.`;
  for (const word of taken)
    if (word === name.toLowerCase()) return `"${name}" is a word of /branch itself and no name for a branch.`;
  return null;
}
