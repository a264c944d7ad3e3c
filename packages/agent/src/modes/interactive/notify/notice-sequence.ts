/** How a terminal shows a notice of a program. */
export type NoticeProtocol = "osc9" | "osc777" | "osc99" | "bell";

type Environment = Readonly<Record<string, string | undefined>>;

const OSC9_PROGRAMS = new Set(["iTerm.app", "WezTerm", "WarpTerminal"]);
const TEXT_LIMIT = 200;

/** The way of the terminal that the environment names; `bell` where none is known, so that nothing is ever printed as text. */
export function noticeProtocol(env: Environment): NoticeProtocol {
  const term = env.TERM ?? "";
  if (env.KITTY_WINDOW_ID !== undefined || term === "xterm-kitty") return "osc99";
  if (env.TERM_PROGRAM === "ghostty" || term === "xterm-ghostty") return "osc777";
  if (OSC9_PROGRAMS.has(env.TERM_PROGRAM ?? "")) return "osc9";
  // multiplexers hide the program; iTerm2 tells itself by a variable that survives them
  if (env.LC_TERMINAL === "iTerm2" || env.ITERM_SESSION_ID !== undefined) return "osc9";
  if (term.startsWith("foot") || term.startsWith("rxvt")) return "osc777";
  return "bell";
}

/** What to write for a notice. Inside tmux it is passed through to the terminal, and a bell marks the window there. */
export function noticeSequence(
  notice: { readonly title: string; readonly body: string },
  protocol: NoticeProtocol,
  env: Environment,
): string {
  const title = plainText(notice.title);
  const body = plainText(notice.body);
  const sequence = sequenceOf(title, body, protocol);
  if (sequence === "\x07") return sequence;
  return env.TMUX === undefined ? sequence : `${tmuxPassthrough(sequence)}\x07`;
}

function sequenceOf(title: string, body: string, protocol: NoticeProtocol): string {
  switch (protocol) {
    case "osc99":
      // id first, so that a later notice replaces this one instead of joining it
      return `\x1b]99;i=pi:d=0;${title}\x1b\\\x1b]99;i=pi:p=body;${body}\x1b\\`;
    case "osc777":
      // a semicolon would end the title
      return `\x1b]777;notify;${title.replaceAll(";", ",")};${body.replaceAll(";", ",")}\x1b\\`;
    case "osc9":
      // digits and a semicolon at the start would be another command (progress)
      return `\x1b]9;${title}: ${body}\x1b\\`;
    case "bell":
      return "\x07";
  }
}

/** Wraps a sequence for tmux, which hands it to the terminal around it (with `allow-passthrough` on). */
function tmuxPassthrough(sequence: string): string {
  return `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
}

/** One line without control characters, bounded. */
function plainText(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  const characters = [...line];
  return characters.length > TEXT_LIMIT ? `${characters.slice(0, TEXT_LIMIT - 1).join("")}…` : line;
}
