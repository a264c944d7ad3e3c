import { isErrorLine } from "../error-line.ts";
import { Pruner, type Stage } from "../stage.ts";

const FRAME = /^\s+at\s|^\s+File "[^"]+", line \d+|^\s*❯ |^\s+\d+: /;
const LIBRARY =
  /node_modules|node:internal|\(internal\/|<anonymous>\)?$|site-packages|dist-packages|\/lib\/python\d|<frozen |^\s+at (?:java|javax|jdk|sun|com\.sun|org\.junit|org\.springframework|org\.apache|org\.gradle|org\.eclipse|kotlin|scala|groovy|io\.netty|reactor|worker\.org)[./]|\/usr\/(?:local\/)?(?:lib|go)\/|\/rustc\/|\.cargo\/registry|^\s+\d+: (?:std|core|alloc|test|rust_begin_unwind)\b/;

/** Of frames of a stack trace that lie in libraries, in a row, only the first ones stay. */
export const stackTraces: Stage = {
  name: "stack-traces",
  lossless: false,
  run(lines, { limits }) {
    const pruner = new Pruner(isErrorLine);
    let inRow = 0;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      if (!FRAME.test(line) || !LIBRARY.test(line)) {
        inRow = 0;
        pruner.keep(line);
        continue;
      }
      const details = detailLines(lines, at);
      inRow++;
      if (inRow <= limits.libraryFrames) for (const each of [line, ...details]) pruner.keep(each);
      else {
        pruner.drop(line, "frame in libraries", "frames in libraries");
        for (const each of details) if (isErrorLine(each)) pruner.keep(each);
      }
      at += details.length;
    }
    return pruner.result();
  },
};

/** A Python frame shows its source line below, a Rust frame its place. */
function detailLines(lines: readonly string[], at: number): string[] {
  const python = /^(\s+)File "/.exec(lines[at]!);
  const details: string[] = [];
  for (let next = at + 1; next < lines.length && details.length < 2; next++) {
    const line = lines[next]!;
    const belongs = python
      ? line.startsWith(`${python[1]}  `) && !/^\s+File "/.test(line)
      : /^\s+\d+: /.test(lines[at]!) && /^\s+at \S+:\d+/.test(line);
    if (!belongs) break;
    details.push(line);
  }
  return details;
}
