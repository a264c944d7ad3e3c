import { PiError } from "../contract/errors.ts";

const LONGEST = 60;

/** A branch's name as it is stored: trimmed. Throws PiError `branch_name` for one that lists and paths could not show. */
export function branchName(given: string): string {
  const name = given.trim().normalize("NFC");
  const problem =
    name === ""
      ? "it is empty"
      : name.length > LONGEST
        ? `it has ${name.length} characters, ${LONGEST} are the most`
        : /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u.test(name)
          ? undefined
          : "it holds something else than letters, digits and . _ - / (and begins with a letter or a digit)";
  if (problem === undefined) return name;
  throw new PiError({
    code: "branch_name",
    message: `"${name.slice(0, LONGEST)}" cannot name a branch: ${problem}`,
    hint: "Choose a name like try-2.",
  });
}
