/** How many colours the terminal shows. */
export type ColorDepth = "truecolor" | "256" | "16" | "none";

const TRUE_COLOR_PROGRAMS = new Set([
  "iTerm.app",
  "WezTerm",
  "vscode",
  "ghostty",
  "Hyper",
  "rio",
  "WarpTerminal",
]);
const TRUE_COLOR_TERMS = /^(xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio)|-direct$/;

/**
 * The depth from the environment. `FORCE_COLOR` (0 to 3) goes before `NO_COLOR`, both before everything else; without a
 * terminal there are no colours unless they are forced.
 */
export function detectColorDepth(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  platform: string,
): ColorDepth {
  const forced = env.FORCE_COLOR;
  if (forced === "0" || forced === "false") return "none";
  if (forced === "2") return "256";
  if (forced === "3") return "truecolor";
  const found = fromTerminal(env, platform);
  if (forced !== undefined) return found === "none" ? "16" : found;
  if ((env.NO_COLOR ?? "") !== "" || !isTerminal) return "none";
  return found;
}

function fromTerminal(env: Readonly<Record<string, string | undefined>>, platform: string): ColorDepth {
  const term = env.TERM ?? "";
  if (term === "dumb") return "none";
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? "")) return "truecolor";
  if (TRUE_COLOR_TERMS.test(term)) return "truecolor";
  // a multiplexer says by COLORTERM what it passes on; the program around it says nothing
  const multiplexed = env.TMUX !== undefined || /^(tmux|screen)/.test(term);
  if (!multiplexed) {
    if (TRUE_COLOR_PROGRAMS.has(env.TERM_PROGRAM ?? "") || env.WT_SESSION !== undefined) return "truecolor";
    if (platform === "win32" && term === "") return "truecolor";
  }
  if (term.includes("256") || env.TERM_PROGRAM === "Apple_Terminal") return "256";
  return "16";
}
