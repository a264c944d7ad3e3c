/** Output for people while a command runs: no control sequences (a command must not drive the screen), and not too much of it. */

const WHOLE_BYTES = 64 * 1024;
const SAMPLE_EVERY = 64 * 1024;
const SAMPLE = 512;
const CARRY_LIMIT = 256;

const SEQUENCES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]/g;
/** What may go on in the next piece: a sequence, or the first half of CR LF. */
const OPEN_SEQUENCE = /(?:\r|\x1b[^\x1b]*\x1b?|[\x90\x98\x9b\x9d\x9e\x9f][^\x1b]*)$/;

/**
 * Passes text on to `show`, freed of control sequences; a carriage return starts a new line. After 64 KB only a sample
 * of each further 64 KB is shown: no screen is read at that speed.
 */
export function liveText(show: (delta: string) => void): (text: string) => void {
  let carried = "";
  let shown = 0;
  let skipped = 0;
  return (piece) => {
    let text = (carried + piece).replace(SEQUENCES, "");
    carried = OPEN_SEQUENCE.exec(text)?.[0] ?? "";
    if (carried.length > CARRY_LIMIT) carried = "";
    else if (carried !== "") text = text.slice(0, -carried.length);
    text = text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
    if (shown >= WHOLE_BYTES) {
      skipped += text.length;
      if (skipped < SAMPLE_EVERY) return;
      skipped = 0;
      text = `\n…\n${text.slice(-SAMPLE)}`;
    }
    if (text === "") return;
    shown += text.length;
    show(text.toWellFormed());
  };
}
