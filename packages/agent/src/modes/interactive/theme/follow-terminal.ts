import type { TUI } from "@earendil-works/pi-tui";
import type { ThemeController } from "./themes.ts";

/** How long a reply of the terminal may take before it counts as late. Nothing waits for it; late replies are taken too. */
const REPLY_MS = 200;

/** Replies to OSC queries, and device attributes: they come late over slow links, and are never typed by a person. */
const TERMINAL_REPLY = /^\x1b(?:\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\)|\[\?[0-9;]*c)$/;

/**
 * Asks the terminal for its colours (after the first frame has been asked for; nothing waits), and follows its changes between dark
 * and light (mode 2031). Replies that nobody waits for are swallowed before they reach the editor. Call it after `tui.start()`;
 * the result ends it.
 */
export function followTerminal(tui: TUI, themes: ThemeController): () => void {
  let following = true;
  const take = (colors: Parameters<ThemeController["terminalColors"]>[0]) => {
    if (following) themes.terminalColors(colors);
  };
  const ask = () => void tui.queryTerminalColors({ timeoutMs: REPLY_MS, onLateReply: take }).then(take);
  const endGuard = tui.addInputListener((data) =>
    TERMINAL_REPLY.test(data) ? { consume: true } : undefined,
  );
  const endScheme = tui.onTerminalColorSchemeChange((scheme) => {
    if (!following) return;
    themes.terminalScheme(scheme);
    ask();
  });
  tui.setTerminalColorSchemeNotifications(true);
  ask();
  return () => {
    following = false;
    endGuard();
    endScheme();
    tui.setTerminalColorSchemeNotifications(false);
  };
}
