import { formatCount } from "../../platform/format-count.ts";
import { isProgramError } from "../error-line.ts";
import { Pruner, type Stage } from "../stage.ts";

const MATCH = /^([^:\s][^:]*?)([:-])(\d+)\2(.*)$/;
const LONGEST_MATCH = 240;

/** Writes `file:line:text` as the file once and its lines below. Nothing is lost. */
export const groupMatches: Stage = {
  name: "group-matches",
  lossless: true,
  run(lines, { kinds }) {
    if (!kinds.has("search")) return undefined;
    const grouped: string[] = [];
    let file = "";
    for (const line of lines) {
      const match = MATCH.exec(line);
      if (!match || isProgramError(line)) {
        file = "";
        grouped.push(line);
        continue;
      }
      if (match[1] !== file) grouped.push(match[1]!);
      file = match[1]!;
      grouped.push(`  ${match[3]}${match[2]} ${match[4]}`);
    }
    const before = lines.reduce((sum, line) => sum + line.length + 1, 0);
    const after = grouped.reduce((sum, line) => sum + line.length + 1, 0);
    return after < before ? { lines: grouped } : undefined;
  },
};

/** Of a long result shows the first matches of each file and the beginning of long lines. */
export const capMatches: Stage = {
  name: "cap-matches",
  lossless: false,
  run(lines, { limits, kinds }) {
    if (!kinds.has("search") && !kinds.has("matches")) return undefined;
    const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (chars <= limits.dataChars) return undefined;
    const pruner = new Pruner(isProgramError);
    let inFile = 0;
    const close = () => {
      const more = inFile - limits.matchesPerFile;
      if (more > 0) pruner.keep(`  [${formatCount(more)} more in this file]`);
      inFile = 0;
    };
    for (const line of lines) {
      if (!/^ {2}\d+[:-] /.test(line)) {
        close();
        pruner.keep(line);
        continue;
      }
      if (++inFile > limits.matchesPerFile) {
        pruner.drop(line, "match", "matches");
        continue;
      }
      if (line.length <= LONGEST_MATCH) pruner.keep(line);
      else {
        pruner.keep(
          `${wellFormedHead(line, LONGEST_MATCH)}… [+${formatCount(line.length - LONGEST_MATCH)} characters]`,
        );
        pruner.count(1, "end of a long line", "ends of long lines");
      }
    }
    close();
    return pruner.result();
  },
};

function wellFormedHead(text: string, length: number): string {
  const head = text.slice(0, length);
  return head.isWellFormed() ? head : head.slice(0, -1);
}
