/** How the kernel treats what goes through a terminal (termios). */
export interface LineSettings {
  /** Typed characters are shown by the kernel. */
  echo: boolean;
  /** Input comes in lines. */
  canonical: boolean;
  /** Ctrl+C, Ctrl+Z and Ctrl+\ are signals. */
  signals: boolean;
  /** Enter arrives as a line feed. */
  enterAsNewline: boolean;
  /** A line feed goes to the first column. */
  outputProcessing: boolean;
}

const ON_MACOS = process.platform === "darwin";
const ECHO = 0x8;
const ICANON = ON_MACOS ? 0x100 : 0x2;
const ISIG = ON_MACOS ? 0x80 : 0x1;
const ICRNL = 0x100;
const OPOST = 0x1;

/** Reads the settings of a pseudo-terminal; they can be read until it is closed, also after its program's end. */
export function lineSettings(
  terminal: Pick<Bun.Terminal, "localFlags" | "inputFlags" | "outputFlags">,
): LineSettings {
  const { localFlags, inputFlags, outputFlags } = terminal;
  return {
    echo: (localFlags & ECHO) !== 0,
    canonical: (localFlags & ICANON) !== 0,
    signals: (localFlags & ISIG) !== 0,
    enterAsNewline: (inputFlags & ICRNL) !== 0,
    outputProcessing: (outputFlags & OPOST) !== 0,
  };
}
