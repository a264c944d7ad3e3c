/** The keys that the start panel names. */
const KEYS = [
  ["tui.input.submit", "sends"],
  ["tui.input.newLine", "new line"],
  ["app.interrupt", "interrupts"],
  ["app.clear", "clears; twice quits"],
] as const;

/** What a line may begin with. */
const STARTS = [
  { key: "/", does: "commands" },
  { key: "@", does: "files" },
  { key: "!", does: "shell" },
] as const;

/** What the start panel says of the input; `label` gives the key of an action as people write it. */
export function startHints(label: (action: string) => string): { key: string; does: string }[] {
  return [...KEYS.map(([action, does]) => ({ key: label(action), does })), ...STARTS];
}
