import { formatCount } from "../../platform/format-count.ts";
import { isProgramError } from "../error-line.ts";
import { Pruner, type Stage } from "../stage.ts";

const COMMIT = /^(?:[*|/\\ ]*)commit [0-9a-f]{7,64}\b/;
const SHORT_COMMIT = /^(?:[*|/\\ ]*)[0-9a-f]{7,40} \S/;

/** Shows the newest commits of a long log, and the beginning of a long message. */
export const gitLog: Stage = {
  name: "git-log",
  lossless: false,
  run(lines, { limits, kinds }) {
    if (!kinds.has("log")) return undefined;
    const isCommit = (line: string) => COMMIT.test(line) || SHORT_COMMIT.test(line);
    const pruner = new Pruner(isProgramError);
    let commits = 0;
    let inMessage = 0;
    for (const line of lines) {
      if (isCommit(line)) {
        commits++;
        inMessage = 0;
        if (commits > limits.commits) pruner.count(1, "older commit");
      }
      if (commits > limits.commits) {
        if (isProgramError(line)) pruner.keep(line);
        continue;
      }
      if (/^ {4}/.test(line)) inMessage++;
      if (/^ {4}/.test(line) && inMessage > limits.commitLines)
        pruner.drop(line, "line of commit messages", "lines of commit messages");
      else pruner.keep(line);
    }
    return pruner.result();
  },
};

/** Shows the first files of each long section of a status. */
export const gitStatus: Stage = {
  name: "git-status",
  lossless: false,
  run(lines, { limits, kinds }) {
    if (!kinds.has("status")) return undefined;
    const pruner = new Pruner(isProgramError);
    let section = "";
    let inSection = 0;
    const close = () => {
      if (inSection > limits.statusFiles)
        pruner.keep(
          `[${formatCount(inSection - limits.statusFiles)} more files of this section left out here]`,
        );
      inSection = 0;
    };
    for (const line of lines) {
      const short = /^([ MADRCUT?!]{2}) \S/.exec(line)?.[1];
      const isFile = short !== undefined || /^\t\S/.test(line);
      const name = short ?? section;
      if (!isFile || name !== section) {
        close();
        section = short ?? "";
      }
      if (!isFile) pruner.keep(line);
      else if (++inSection <= limits.statusFiles) pruner.keep(line);
      else pruner.drop(line, "file of long sections", "files of long sections");
    }
    close();
    return pruner.result();
  },
};
