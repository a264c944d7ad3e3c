/** Which keys do what: the defaults with the user's changes. */
import {
  type Keybinding,
  KeybindingsManager,
  type KeyId,
  matchesKey,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import { nearNames } from "../../../platform/near-names.ts";
import {
  ACTIONS,
  type ActionDefinition,
  type ActionGroup,
  APP_ACTION_IDS,
  type AppAction,
} from "./actions.ts";
import { keyLabel, parseKeyName, sameInOldTerminals, typesText } from "./key-names.ts";

/** Something in the user's `keybindings` that does not act as written. */
export interface KeymapNotice {
  message: string;
  hint: string;
}

/** One line of `/keys`. */
export interface KeyBinding {
  action: string;
  /** As people read them ("Ctrl+O"); empty when the action has no key. */
  keys: readonly string[];
  description: string;
  group: ActionGroup;
  /** Set by the user. */
  changed: boolean;
}

export interface Keymap {
  /** Whether this input of the terminal (in the old or the Kitty encoding) is a key of the action. */
  matches(data: string, action: AppAction): boolean;
  /** Our own actions (not the editor's) that this input is a key of, in the order of the list. */
  actionsFor(data: string): readonly AppAction[];
  /** The keys of an action in the configuration's spelling; empty for an unknown one. */
  keys(action: string): readonly string[];
  /** The first key of an action as people read it, or "" when it has none. For hints ("Esc to interrupt"). */
  label(action: string): string;
  list(): readonly KeyBinding[];
  /** Makes this the keymap of every component of the terminal library. */
  apply(): void;
}

/** Builds the keymap. What cannot be used of `overrides` is left out, with a notice each; the rest counts. */
export function createKeymap(overrides: Readonly<Record<string, string | readonly string[]>>): {
  keymap: Keymap;
  notices: readonly KeymapNotice[];
} {
  const notices: KeymapNotice[] = [];
  const own = readOverrides(overrides, notices);
  const bindings = resolve(own, notices);
  return { keymap: new ResolvedKeymap(bindings, new Set(own.keys())), notices };
}

type Bindings = ReadonlyMap<string, readonly KeyId[]>;

function readOverrides(
  overrides: Readonly<Record<string, string | readonly string[]>>,
  notices: KeymapNotice[],
): Map<string, KeyId[]> {
  const own = new Map<string, KeyId[]>();
  for (const [action, value] of Object.entries(overrides)) {
    const definition = ACTIONS.get(action);
    if (definition === undefined) {
      const near = nearNames(action, ACTIONS.keys());
      notices.push({
        message: `keybindings: there is no action "${action}"`,
        hint: near.length > 0 ? `Did you mean ${near.join(", ")}?` : "/keys lists all actions.",
      });
      continue;
    }
    const keys: KeyId[] = [];
    for (const text of typeof value === "string" ? [value] : value) {
      const key = readKey(action, text, definition, notices);
      if (key !== null && !keys.includes(key)) keys.push(key);
    }
    const wanted = typeof value === "string" ? 1 : value.length;
    // Keys that could not be read must not leave an action without any; an empty list takes its keys away.
    if (keys.length > 0 || wanted === 0) own.set(action, keys);
  }
  return own;
}

function readKey(
  action: string,
  text: string,
  definition: ActionDefinition,
  notices: KeymapNotice[],
): KeyId | null {
  const parsed = parseKeyName(text);
  if (!parsed.ok) {
    notices.push({
      message: `keybindings: ${action}: "${text}" cannot be read: ${parsed.problem}`,
      hint: 'Write a key like "ctrl+o", "alt+enter" or "f3".',
    });
    return null;
  }
  if (definition.scope !== "menu" && typesText(parsed.key)) {
    notices.push({
      message: `keybindings: ${action}: "${text}" is a key that types text`,
      hint: `Add ctrl or alt, e.g. "alt+${parsed.key.replace("shift+", "")}".`,
    });
    return null;
  }
  const same = sameInOldTerminals(parsed.key);
  if (same !== undefined)
    notices.push({
      message: `keybindings: ${action}: many terminals send ${keyLabel(parsed.key)} as ${keyLabel(same)}`,
      hint: "It works in terminals with the Kitty keyboard protocol; another key works everywhere.",
    });
  return parsed.key;
}

/** The user's keys win over defaults; of two of the user's on one key the first wins. What loses is told. */
function resolve(own: ReadonlyMap<string, readonly KeyId[]>, notices: KeymapNotice[]): Map<string, KeyId[]> {
  const bindings = new Map<string, KeyId[]>();
  for (const [action, definition] of ACTIONS) bindings.set(action, [...(own.get(action) ?? definition.keys)]);
  const settled: string[] = [];
  for (const [action, keys] of own) {
    for (const key of keys) {
      if (!bindings.get(action)!.includes(key)) continue;
      for (const [other, otherKeys] of bindings) {
        if (other === action || settled.includes(other) || !otherKeys.includes(key)) continue;
        if (!collide(action, other, key)) continue;
        otherKeys.splice(otherKeys.indexOf(key), 1);
        const left =
          otherKeys.length > 0
            ? `${other} keeps ${otherKeys.map(keyLabel).join(", ")}`
            : `${other} has no key now`;
        notices.push({
          message: `keybindings: ${keyLabel(key)} is set for ${action} and is also ${own.has(other) ? "set for" : "the key of"} ${other}`,
          hint: `${action} has it; ${left}. Give one of them another key.`,
        });
      }
    }
    settled.push(action);
  }
  return bindings;
}

/** Two actions that share the key by default were made to (Ctrl+D quits or deletes); menus are apart from the rest. */
function collide(one: string, other: string, key: KeyId): boolean {
  const [a, b] = [ACTIONS.get(one)!, ACTIONS.get(other)!];
  if (a.keys.includes(key) && b.keys.includes(key)) return false;
  return (a.scope === "menu") === (b.scope === "menu");
}

/** Whether the input is one character as it is typed: no control character and no escape sequence. */
function isTypedCharacter(data: string): boolean {
  const code = data.codePointAt(0) ?? 0;
  return code >= 0x20 && code !== 0x7f && data.length === (code > 0xffff ? 2 : 1);
}

/**
 * The library's table of keys, which parses every key's name again for every input: characters, of which there are most, are looked
 * up only for actions that have one as their key.
 */
class TypingKeybindings extends KeybindingsManager {
  override matches(data: string, keybinding: Keybinding): boolean {
    if (isTypedCharacter(data) && !this.getKeys(keybinding).some(typesText)) return false;
    return super.matches(data, keybinding);
  }
}

class ResolvedKeymap implements Keymap {
  readonly #bindings: Bindings;
  readonly #changed: ReadonlySet<string>;

  constructor(bindings: Bindings, changed: ReadonlySet<string>) {
    this.#bindings = bindings;
    this.#changed = changed;
  }

  matches(data: string, action: AppAction): boolean {
    const keys = this.#bindings.get(action)!;
    if (isTypedCharacter(data) && !keys.some(typesText)) return false;
    return keys.some((key) => matchesKey(data, key));
  }

  actionsFor(data: string): readonly AppAction[] {
    return APP_ACTION_IDS.filter((action) => this.matches(data, action));
  }

  keys(action: string): readonly string[] {
    return this.#bindings.get(action) ?? [];
  }

  label(action: string): string {
    const first = this.keys(action)[0];
    return first === undefined ? "" : keyLabel(first);
  }

  list(): readonly KeyBinding[] {
    return [...ACTIONS].map(([action, { description, group }]) => ({
      action,
      keys: this.keys(action).map(keyLabel),
      description,
      group,
      changed: this.#changed.has(action),
    }));
  }

  apply(): void {
    const bindings: Record<string, KeyId[]> = {};
    for (const id of Object.keys(TUI_KEYBINDINGS)) if (id.startsWith("tui.altScreen.")) bindings[id] = [];
    for (const [action, { drives }] of ACTIONS) {
      const target = drives ?? (action.startsWith("tui.") ? action : undefined);
      if (target !== undefined) bindings[target] = [...this.keys(action)] as KeyId[];
    }
    // The program decides what Ctrl+C means; the editor must only leave it alone.
    bindings["tui.input.copy"] = [...this.keys("app.clear")] as KeyId[];
    setKeybindings(new TypingKeybindings(TUI_KEYBINDINGS, bindings));
  }
}
