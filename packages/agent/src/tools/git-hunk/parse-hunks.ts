/** One hunk of a unified diff. */
export interface Hunk {
  /** The `@@ … @@` line. */
  header: string;
  /** Its lines with their marks, joined. */
  content: string;
  lines: number;
  added: number;
  removed: number;
}

/**
 * The hunks of one file's unified diff; what stands before the first `@@` is left out. Lines are counted by the header, so
 * that content that looks like a header is not taken for one.
 */
export function parseHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  const lines = diff.split("\n");
  let index = 0;
  while (index < lines.length) {
    const combined = /^(@@@+) (?:-\d+(?:,\d+)? )+\+\d+(?:,\d+)? @@@+/.exec(lines[index]!);
    if (combined) {
      const hunk = combinedHunk(lines, index, combined[1]!.length - 1);
      hunks.push(hunk);
      index += 1 + hunk.lines;
      continue;
    }
    const range = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[index]!);
    if (!range) {
      index += 1;
      continue;
    }
    const header = lines[index]!;
    let oldLeft = Number(range[1] ?? 1);
    let newLeft = Number(range[2] ?? 1);
    const body: string[] = [];
    let added = 0;
    let removed = 0;
    index += 1;
    while (index < lines.length && (oldLeft > 0 || newLeft > 0 || lines[index]!.startsWith("\\"))) {
      const line = lines[index]!;
      if (line.startsWith("+")) {
        added += 1;
        newLeft -= 1;
      } else if (line.startsWith("-")) {
        removed += 1;
        oldLeft -= 1;
      } else if (!line.startsWith("\\")) {
        oldLeft -= 1;
        newLeft -= 1;
      }
      body.push(line);
      index += 1;
    }
    hunks.push({ header, content: body.join("\n"), lines: body.length, added, removed });
  }
  return hunks;
}

/** A hunk of a merge in conflict (`diff --cc`): each line has one mark for each of the `parents`. */
function combinedHunk(lines: readonly string[], start: number, parents: number): Hunk {
  const body: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (!/^[ +\-\\]/.test(line)) break;
    body.push(line);
  }
  const marks = body.map((line) => line.slice(0, parents));
  return {
    header: lines[start]!,
    content: body.join("\n"),
    lines: body.length,
    added: marks.filter((mark) => mark.includes("+")).length,
    removed: marks.filter((mark) => mark.includes("-")).length,
  };
}
