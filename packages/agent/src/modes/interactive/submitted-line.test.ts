import { expect, test } from "bun:test";
import type { SlashCommandInfo } from "../../contract/slash-command.ts";
import { readSubmitted, type Submitted } from "./submitted-line.ts";

const COMMANDS = [
  { name: "exit", aliases: ["quit"] },
  { name: "model", aliases: [] },
  { name: "größe", aliases: [] },
  { name: "myPlan", aliases: [] },
  { name: "myplan", aliases: [] },
  { name: "openPR", aliases: [] },
] as unknown as SlashCommandInfo[];

const lines: [string, Submitted][] = [
  ["fix the test", { kind: "prompt" }],
  ["/model gpt-5 high", { kind: "command", name: "model", argument: "gpt-5 high" }],
  ["  /MODEL ", { kind: "command", name: "model", argument: "" }],
  ["/quit", { kind: "command", name: "exit", argument: "" }],
  ["/größe 3", { kind: "command", name: "größe", argument: "3" }],
  ["/openPR 7", { kind: "command", name: "openPR", argument: "7" }],
  ["/OPENpr 7", { kind: "command", name: "openPR", argument: "7" }],
  ["/myplan", { kind: "command", name: "myplan", argument: "" }],
  ["/modle x", { kind: "command", name: "modle", argument: "x" }],
  ["/compact keep\nthe plan", { kind: "command", name: "compact", argument: "keep\nthe plan" }],
  ["/etc/hosts is wrong", { kind: "prompt" }],
  ["/ what", { kind: "prompt" }],
  ["//model is a command", { kind: "prompt" }],
  ["!git status", { kind: "shell", command: "git status", keep: true }],
  ["!! ls", { kind: "shell", command: "ls", keep: false }],
  ["!", { kind: "prompt" }],
];
for (const [line, submitted] of lines)
  test(`${JSON.stringify(line)} is a ${submitted.kind} [A-TUI-02]`, () => {
    expect(readSubmitted(line, COMMANDS)).toEqual(submitted);
  });
