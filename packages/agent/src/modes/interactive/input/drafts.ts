import type { PromptEditor } from "./prompt-editor.ts";

/** Puts a text back into the editor, above what is there. */
export function putBack(editor: PromptEditor, text: string): void {
  if (text === "") return;
  const { draft } = editor;
  editor.setDraft(draft === "" ? text : `${text}\n\n${draft}`);
}

/** Puts a text in the place of what is in the editor, which Up brings back. */
export function replaceDraft(editor: PromptEditor, text: string): void {
  if (!editor.isEmpty) editor.addToHistory(editor.draft);
  editor.setDraft(text);
}
