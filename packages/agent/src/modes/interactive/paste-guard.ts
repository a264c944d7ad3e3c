const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** Ctrl+C in the old encoding and in Kitty's. */
const CONTROL_C = new Set(["\x03", "\x1b[99;5u"]);

/** What is needed of a stream of terminal input. */
interface InputStream {
  prependListener(event: "data", listener: (data: Uint8Array | string) => void): unknown;
  off(event: "data", listener: (data: Uint8Array | string) => void): unknown;
  emit(event: "data", data: string): unknown;
}

/**
 * A paste whose end never comes (the connection dropped it) swallows every key. A Ctrl+C that arrives on its own ends such a paste:
 * what had come of it is in the editor then, and the key means what it means. The result ends the guard.
 */
export function freePastes(input: InputStream): () => void {
  let open = false;
  const listener = (data: Uint8Array | string) => {
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    if (open && CONTROL_C.has(text)) {
      open = false;
      input.emit("data", PASTE_END);
      return;
    }
    const start = text.lastIndexOf(PASTE_START);
    const end = text.lastIndexOf(PASTE_END);
    if (start >= 0 || end >= 0) open = start > end;
  };
  input.prependListener("data", listener);
  return () => void input.off("data", listener);
}
