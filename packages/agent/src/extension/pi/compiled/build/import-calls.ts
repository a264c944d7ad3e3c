/** Puts `by` in the place of every `import(` that is code. In texts, patterns and comments the word stays as it is. */
export function withoutImportCalls(code: string, by: string): string {
  let done = "";
  let rest = code;
  for (;;) {
    const found = /\bimport\s*\(/.exec(rest);
    if (found === null) return done + rest;
    const before = done + rest.slice(0, found.index);
    const after = rest.slice(found.index + found[0].length);
    done = before + (isCall(before, after) ? by : found[0]);
    rest = after;
  }
}

/** `a.import()` and methods of this name are calls of something else. */
function isCall(before: string, after: string): boolean {
  if (/(?:(?<!\.\.)\.|#)\s*$/.test(before)) return false;
  // No code has `@(` where a call may stand, and no method is named `import.meta`.
  return !parses(`${before}@(${after}`) && parses(`${before}import.meta(${after}`);
}

function parses(code: string): boolean {
  try {
    new Bun.Transpiler({ loader: "js" }).transformSync(`(function* () {${code}})`);
    return true;
  } catch {
    return false;
  }
}
