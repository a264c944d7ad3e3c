/** `ctx.ui` where there is no terminal: dialogs are dismissed at once, and nothing is drawn. */
import { PLAIN_THEME } from "./plain-theme.ts";

const nothing = () => undefined;
const dismissed = () => Promise.resolve(undefined);

export const NO_UI = {
  select: dismissed,
  confirm: () => Promise.resolve(false),
  input: dismissed,
  editor: dismissed,
  custom: dismissed,
  notify: nothing,
  setStatus: nothing,
  setWidget: nothing,
  setFooter: nothing,
  setHeader: nothing,
  setTitle: nothing,
  setWorkingMessage: nothing,
  setWorkingVisible: nothing,
  setWorkingIndicator: nothing,
  setHiddenThinkingLabel: nothing,
  setEditorText: nothing,
  pasteToEditor: nothing,
  getEditorText: () => "",
  setEditorComponent: nothing,
  getEditorComponent: nothing,
  addAutocompleteProvider: () => nothing,
  onTerminalInput: () => nothing,
  theme: PLAIN_THEME,
  getAllThemes: () => [],
  getTheme: nothing,
  setTheme: () => ({ success: false, error: "there is no terminal" }),
  getToolsExpanded: () => false,
  setToolsExpanded: nothing,
} as const;
