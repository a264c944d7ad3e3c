import type { Stage } from "../stage.ts";

/** Writes paths as their folder once and the names in it. Nothing is lost. */
export const groupPaths: Stage = {
  name: "group-paths",
  lossless: true,
  run(lines, { kinds }) {
    if (!kinds.has("listing")) return undefined;
    const grouped: string[] = [];
    let folder: string | undefined;
    let names: string[] = [];
    const close = () => {
      if (folder !== undefined) {
        if (names.length === 1) grouped.push(`${folder}${names[0]}`);
        else grouped.push(`${folder} (${names.length}): ${names.join(", ")}`);
      }
      folder = undefined;
      names = [];
    };
    for (const line of lines) {
      const slash = line.lastIndexOf("/");
      const plain =
        slash > 0 && slash < line.length - 1 && !/[,\s()]/.test(line.slice(slash)) && !/^\s|: /.test(line);
      if (!plain) {
        close();
        grouped.push(line);
        continue;
      }
      const own = line.slice(0, slash + 1);
      if (own !== folder) close();
      folder = own;
      names.push(line.slice(slash + 1));
    }
    close();
    return grouped.length < lines.length ? { lines: grouped } : undefined;
  },
};
