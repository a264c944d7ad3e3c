import { expect, test } from "bun:test";
import type { HostChange, PromptInput } from "../../contract/interactive.ts";
import { Notices } from "../notices.ts";
import { RunControl } from "./run-control.ts";

const PICTURE = { type: "image", mimeType: "image/png", data: "AA==" } as const;

function control() {
  const changes: HostChange[] = [];
  const runs = new RunControl({
    notices: new Notices(),
    emit: (change) => changes.push(change),
    onEnd: () => undefined,
  });
  const told = () => changes.flatMap((change) => (change.type === "notice" ? [change.message] : []));
  return { runs, told };
}

test("a picture that waits with its prompt is not dropped without a word when the queue is taken back", () => {
  const { runs, told } = control();
  const input: PromptInput = { text: "look at this", images: [PICTURE] };
  runs.send(input, "steer");
  expect(runs.take()).toEqual([{ text: "look at this", as: "steer" }]);
  expect(told()).toEqual(["the picture that waited is not in the draft: add it again before you send it"]);
  expect(runs.waiting()).toEqual([]);
});

test("a queue without pictures is taken back without a word", () => {
  const { runs, told } = control();
  runs.send({ text: "one", images: [] }, "follow_up");
  runs.take();
  expect(told()).toEqual([]);
});
