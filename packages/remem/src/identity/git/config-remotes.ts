/** One setting of a git configuration, `section` in lower case. */
interface Setting {
  readonly section: string;
  /** The quoted part of the section's head. */
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/** The settings in the text of a git configuration, in its order; what it includes is not looked at. */
function configSettings(text: string): Setting[] {
  const settings: Setting[] = [];
  let head: Pick<Setting, "section" | "subsection"> | undefined;
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const section = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (section) head = headOf(section[1]!, section[2]);
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(section ? section[3]! : line);
    if (entry && head !== undefined)
      settings.push({ ...head, key: entry[1]!.toLowerCase(), value: plainValue(entry[2]!) });
  }
  return settings;
}

function headOf(section: string, subsection: string | undefined): Pick<Setting, "section" | "subsection"> {
  if (subsection !== undefined)
    return { section: section.toLowerCase(), subsection: subsection.replace(/\\(.)/g, "$1") };
  // The old form: [remote.origin].
  const dot = section.indexOf(".");
  return dot < 0
    ? { section: section.toLowerCase(), subsection: undefined }
    : { section: section.slice(0, dot).toLowerCase(), subsection: section.slice(dot + 1) };
}

/** The first address of each remote in the text of a git configuration. */
export function configRemotes(text: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  for (const { section, subsection, key, value } of configSettings(text))
    if (section === "remote" && key === "url" && subsection !== undefined && !remotes.has(subsection))
      remotes.set(subsection, value);
  return remotes;
}

/** The working tree that a git folder says it belongs to, as it is written; undefined when it says nothing. */
export function configWorktree(text: string): string | undefined {
  return configSettings(text).findLast(
    ({ section, subsection, key }) => section === "core" && subsection === undefined && key === "worktree",
  )?.value;
}

/** A value without quotes, escapes, the comment behind it and the space around it. */
function plainValue(raw: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at]!;
    if (character === "\\") value += raw[++at] ?? "";
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "#" || character === ";")) break;
    else value += character;
  }
  return value.trim();
}

/** The remote a repository is known by: `origin`, else its only one. */
export function mainRemote(remotes: ReadonlyMap<string, string>): string | undefined {
  return remotes.get("origin") ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
}
