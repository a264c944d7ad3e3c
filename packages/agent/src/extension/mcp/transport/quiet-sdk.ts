let quiet = false;

/**
 * The SDK warns about services on the console, which is a person's screen or a program's pipe. What it says is no news: the same comes as
 * an error. Other users of the console are not touched.
 */
export function quietSdk(): void {
  if (quiet) return;
  quiet = true;
  const warn = console.warn.bind(console);
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("[mcp-sdk]")) warn(...words);
  };
}
