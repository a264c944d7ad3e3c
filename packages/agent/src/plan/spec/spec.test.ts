import { expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { createFileDoor } from "../../sandbox/files/file-door.ts";
import { type Approvals, keptApprovals, passingApprovals } from "./approvals.ts";
import { PlannedSpec } from "./planned-spec.ts";
import { SpecFiles } from "./spec-files.ts";
import { specProblem } from "./write-rules.ts";

function specIn(ws: Workspace, name = "x", approvals: Approvals = passingApprovals()): PlannedSpec {
  return new PlannedSpec(name, new SpecFiles(createFileDoor({ root: ws.path })), approvals);
}

const thrownBy = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
  return "nothing";
};

test("a new spec holds the idea and waits for requirements; a phase is approved only when it is written [A-SOP-01][A-SOP-03]", async () => {
  await using ws = await workspace();
  const spec = specIn(ws);
  spec.begin("Export as CSV");
  expect(ws.read("specs/x/rough-idea.md")).toBe("# Rough idea\n\nExport as CSV\n");
  expect(spec.phase?.name).toBe("requirements");
  expect(thrownBy(() => spec.approve())).toBe("spec_not_ready");
  spec.record("Which separator?", "A comma");
  expect(spec.approve()?.name).toBe("research");
  expect(thrownBy(() => spec.approve())).toBe("spec_not_ready");
  ws.write("specs/x/research/files.md", "facts\n");
  expect(spec.approve()?.name).toBe("design");
  expect(spec.back()?.name).toBe("research");
  expect(spec.back()?.name).toBe("requirements");
  expect(spec.back()).toBeNull();
});

test("questions and answers are kept in their order, and headings in them do not end an entry [A-SOP-01]", async () => {
  await using ws = await workspace();
  const spec = specIn(ws);
  spec.begin("x");
  spec.record("## Which?\n\n1. one\n2. two", "two");
  spec.record("And then?", "nothing");
  expect(ws.read("specs/x/requirements.md")).toEndWith(
    "\n## Question 1\n\n\\## Which?\n\n1. one\n2. two\n\n**Answer:** two\n\n## Question 2\n\nAnd then?\n\n**Answer:** nothing\n",
  );
});

test.each([
  [["rough-idea.md"], "requirements"],
  [["rough-idea.md", "requirements.md"], "requirements"],
  [["rough-idea.md", "requirements.md", "research/a.md"], "research"],
  [["design.md"], "design"],
  [["rough-idea.md", "requirements.md", "design.md", "outline.md", "plan.md"], "plan"],
  [["PROMPT.md"], "prompt"],
])("a spec with %p goes on at %p [A-SOP-03]", async (files, phase) => {
  await using ws = await workspace(
    Object.fromEntries(files.map((file) => [`specs/x/${file}`, "# Words\n\n## More\n"])),
  );
  expect(specIn(ws).phase?.name).toBe(phase as never);
});

test("a plan is approved only when it can be carried out, and the briefing only with gates [A-SOP-03]", async () => {
  await using ws = await workspace({
    "specs/x/outline.md": "# Outline\n",
    "specs/x/plan.md": "- [ ] Slice 1: x\n",
  });
  const spec = specIn(ws);
  expect(spec.problems(spec.phase!)[0]).toMatchObject({ line: 1 });
  ws.write("specs/x/plan.md", "- [ ] Slice 1: x\n  - verify: `true`\n");
  expect(spec.approve()?.name).toBe("prompt");
  ws.write("specs/x/PROMPT.md", "# x\n");
  expect(thrownBy(() => spec.approve())).toBe("spec_not_ready");
  ws.write("specs/x/PROMPT.md", "## Gates\n\n- **a**: `true`\n");
  expect(spec.approve()).toBeNull();
  expect(spec.phase).toBeNull();
});

test("a spec's folder that is a link to elsewhere is neither read nor written [X03]", async () => {
  await using ws = await workspace({ "src/a.ts": "a\n" });
  ws.write("specs/.keep", "");
  symlinkSync("../src", ws.at("specs/x"));
  expect(thrownBy(() => specIn(ws).write("a.ts", "b"))).toBe("spec_outside");
  expect(ws.read("src/a.ts")).toBe("a\n");
  expect(thrownBy(() => specIn(ws, "../src").read("a.ts"))).toBe("spec_name");
});

test("the model may not write artifacts of phases to come; other specs and files are free [A-SOP-01]", async () => {
  await using ws = await workspace();
  const spec = specIn(ws);
  spec.begin("x");
  expect(specProblem("x/design.md", spec)).toContain(
    "belongs to phase 4 (Design), and phase 2 (Requirements)",
  );
  expect(specProblem("x/research/a.md", spec)).toContain("belongs to phase 3");
  for (const free of ["x/requirements.md", "x/rough-idea.md", "x/notes.md", "y/design.md"])
    expect(specProblem(free, spec)).toBeUndefined();
});

test("what a person approved is kept outside of the project: no file below specs/ moves a spec that was taken up, and a lost artifact moves it back [A-SOP-03][X03]", async () => {
  await using ws = await workspace({ "specs/x/rough-idea.md": "# Rough idea\n\nx\n" });
  const folder = join(ws.outside, "plans");
  const opened = () => specIn(ws, "x", keptApprovals(folder));
  opened().takeUp();
  ws.write("specs/x/requirements.md", "# R\n\n## Summary\n\n1. x\n");
  for (const file of ["design.md", "outline.md", "PROMPT.md"]) ws.write(`specs/x/${file}`, "# Words\n");
  ws.write("specs/x/.approved.json", '{"approved":7}\n');
  expect(opened().phase?.name).toBe("requirements");
  expect(opened().approve()?.name).toBe("research");
  ws.write("specs/x/research/a.md", "facts\n");
  expect(opened().approve()?.name).toBe("design");
  rmSync(ws.at("specs/x/research/a.md"));
  expect(opened().phase?.name).toBe("research");
});

test("a record that was cut off is none: the artifacts tell [A-SOP-03]", async () => {
  await using ws = await workspace({ "specs/x/design.md": "# Design\n" });
  const folder = join(ws.outside, "plans");
  keptApprovals(folder).write("x", 7);
  writeFileSync(join(folder, "x.json"), '{"appro');
  expect(specIn(ws, "x", keptApprovals(folder)).phase?.name).toBe("design");
});
