/** What tests of planned specs share: a small project with a spec, and a model that plays its workers. */
import {
  type Block,
  call,
  type ModelServer,
  type RecordedRequest,
  say,
  type Workspace,
} from "@pi-ts/testkit";

/** A spec of three slices: the first alone, then two at the same time; each adds a line of its own file. */
export const PLAN = `# Plan

- [ ] Slice 1: the first file
  - files: one.txt
  - verify: \`grep -q one one.txt\`
  - depends: none
- [ ] Slice 2: the second file
  - files: two.txt
  - verify: \`grep -q two two.txt\`
  - depends: 1
  - parallel-safe: yes
- [ ] Slice 3: the third file
  - files: three.txt
  - verify: \`test -s three.txt\`
  - depends: 1
  - parallel-safe: yes
`;

/** Gates that need all three files, and a fourth one that no slice writes. */
export const PROMPT = `# Files

## Objective

Files with words in them. BRIEFING

## Done Criteria

- every file holds its own name

## Gates

- **files**: \`cat one.txt two.txt three.txt\`
- **whole**: \`test -f whole.txt\`
`;

export function spec(ws: Workspace, plan = PLAN, prompt = PROMPT): void {
  ws.write("specs/files/plan.md", plan);
  ws.write("specs/files/PROMPT.md", prompt);
}

const said = (request: RecordedRequest, words: string) =>
  request.userTexts.some((text) => text.includes(words));

/** Requests of the worker of a slice. */
export const ofSlice = (slice: number) => (request: RecordedRequest) =>
  said(request, `<slice>\nSlice ${slice}:`);
/** Requests of a worker who mends the whole. */
export const ofMender = (request: RecordedRequest) => said(request, "together they do not hold yet");
export const ofReviewer = (request: RecordedRequest) => said(request, "Review the work on the spec");

/** A worker writes files, then ends. */
export function works(
  server: ModelServer,
  of: (request: RecordedRequest) => boolean,
  files: Readonly<Record<string, string>>,
  ...first: Block[]
): void {
  const writes = Object.entries(files).map(([path, content]) => call("write", { file_path: path, content }));
  server.when((request) => of(request) && request.results.length === 0).reply(...first, ...writes);
  server.when(of).reply(say("handed over"));
}

/** All three slices, the file that the gates miss, and a reviewer who is content. */
export function allGoesWell(server: ModelServer): void {
  works(server, ofSlice(1), { "one.txt": "one\n" });
  works(server, ofSlice(2), { "two.txt": "two\n" });
  works(server, ofSlice(3), { "three.txt": "three\n" });
  works(server, ofMender, { "whole.txt": "whole\n" });
  server.when(ofReviewer).reply(say("All criteria hold.\nVERDICT: PASS"));
}
