import type { Issued } from "../issued.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";

/** The documented stand-in for calls that another model made. */
const DUMMY = "skip_thought_signature_validator";
/** Models that never had signatures. */
const WITHOUT = /^gemini-[12][.-]/;

/** Signatures come back on the part they were given for; the first call of each step of the current turn must have one. */
export function signatureProblems(model: string, contents: readonly Fields[], issued: Issued): string[] {
  const problems: string[] = [];
  for (const [index, content] of contents.entries())
    for (const [at, part] of list(content["parts"]).map(fields).entries()) {
      const signature = part["thoughtSignature"];
      if (signature === undefined || signature === DUMMY || issued.sentRaw(string(signature))) continue;
      if (!matches(part, issued.signatures.get(string(signature))))
        problems.push(`contents[${index}].parts[${at}]: Corrupted thought signature.`);
    }
  if (WITHOUT.test(model)) return problems;
  for (const content of contents.slice(turnStart(contents))) {
    const first = list(content["parts"])
      .map(fields)
      .find((part) => isObject(part["functionCall"]));
    if (first && string(first["thoughtSignature"]) === "")
      problems.push(
        "Function call is missing a thought_signature in functionCall parts: " +
          `function call ${string(fields(first["functionCall"])["name"])}`,
      );
  }
  return problems;
}

function matches(part: Fields, owner: { name: string; args: string } | undefined): boolean {
  if (!owner) return false;
  const made = part["functionCall"];
  if (!isObject(made)) return owner.name === "";
  return owner.name === made["name"] && owner.args === JSON.stringify(made["args"] ?? {});
}

/** The current turn begins after the last user content that is more than function responses. */
function turnStart(contents: readonly Fields[]): number {
  return (
    contents.findLastIndex(
      (content) =>
        content["role"] === "user" &&
        list(content["parts"])
          .map(fields)
          .every((part) => part["functionResponse"] === undefined),
    ) + 1
  );
}
