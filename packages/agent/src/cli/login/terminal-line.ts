/** Characters that a line is ended and given up with. */
const ENTER = /[\r\n]/;
const INTERRUPT = "\u0003";
const END_OF_INPUT = "\u0004";
const ESCAPE = "\u001b";
const ERASE_LINE = "\u0015";
const ERASE = /[\u007f\b]/;
const SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.)/g;

export interface LineQuestion {
  /** Written once keys are read, so that what is pasted as soon as it stands there is not echoed. */
  title: string;
  /** Shown as dots. */
  secret: boolean;
  write(text: string): void;
  /** Ctrl+C, which does not come as a signal while keys are read one by one. */
  interrupt(): void;
  signal: AbortSignal;
}

/**
 * Reads one line from the terminal on stdin, key by key, so that a secret is never shown. Null: Esc, the end of input, an abort. The
 * terminal is as it was afterwards.
 */
export async function readLine({
  title,
  secret,
  write,
  interrupt,
  signal,
}: LineQuestion): Promise<string | null> {
  const input = process.stdin;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let line = "";
  const erase = (kept: string) => {
    write("\b \b".repeat([...line].length - [...kept].length));
    line = kept;
  };
  const take = (letter: string): void => {
    if (ENTER.test(letter)) resolve(line);
    else if (letter === INTERRUPT) interrupt();
    else if (letter === ESCAPE || letter === END_OF_INPUT) resolve(null);
    else if (letter === ERASE_LINE) erase("");
    else if (ERASE.test(letter)) erase([...line].slice(0, -1).join(""));
    else if (letter >= " ") {
      line += letter;
      write(secret ? "•" : letter);
    }
  };
  let over = false;
  const onData = (chunk: Buffer) => {
    for (const letter of chunk.toString("utf8").replace(SEQUENCE, "")) {
      if (over) return;
      over = ENTER.test(letter);
      take(letter);
    }
  };
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  write(`${title} `);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    input.off("data", onData);
    input.setRawMode(false);
    input.pause();
    write("\n");
  }
}
