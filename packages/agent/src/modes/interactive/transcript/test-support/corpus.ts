import type { Message } from "../../../../contract/messages.ts";
import { noUsage } from "../../../../contract/messages.ts";

/** Numbers below a bound, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = "the agent reads a file then edits it and runs all tests before it says what changed".split(
  " ",
);

function sentence(below: (bound: number) => number, length: number): string {
  return `${Array.from({ length }, () => words[below(words.length)]).join(" ")}.`;
}

/** An answer of one of eight kinds; `mark<i>x` occurs in it once. */
export function answerText(index: number): string {
  const below = randomNumbers(index * 7919 + 17);
  const mark = `mark${index}x`;
  switch (index % 8) {
    case 0:
      return `## Step ${mark}\n\n${sentence(below, 30)} See [the docs](https://example.com/) and \`src/mod.ts\`.`;
    case 1:
      return `- ${mark} ${sentence(below, 8)}\n- **bold** and *italic*\n  - nested ${sentence(below, 6)}\n- ${sentence(below, 12)}\n\n1. first\n2. second`;
    case 2:
      return `\`\`\`ts\nexport function ${mark}(input: string): number {\n  // ${sentence(below, 6)}\n  return input.length;\n}\n\`\`\``;
    case 3:
      return `| Name | 状態 | Count |\n|---|:---:|---:|\n| ${mark} | 完了 | 3 |\n| 日本語の列 | 実行中 | 7 |`;
    case 4:
      return `${mark} ${sentence(below, 25)}\n\n> ${sentence(below, 14)}\n\n${sentence(below, 18)}`;
    case 5:
      return `### ${mark}\n\nこのモジュールは入力を行ごとに分割し、各行を検証してから書き込みます。 🎉 👨‍👩‍👧‍👦 🇯🇵 ❤️\n\n- 한국어\n- 中文`;
    case 6:
      return `\`\`\`bash\n$ bun test ${mark}\n✓ splits rows\n\n 2 pass\n\`\`\``;
    default:
      return `${mark} ${sentence(below, 40)}\n\n${sentence(below, 20)}`;
  }
}

/** A conversation of `count` messages: prompts, answers, calls with results. */
export function conversation(count: number): Message[] {
  const messages: Message[] = [];
  const source = { provider: "p", wire: "ollama", model: "m" } as const;
  for (let index = 0; messages.length < count; index++) {
    messages.push({
      role: "user",
      origin: "user",
      parts: [{ type: "text", text: `prompt ${index} please` }],
    });
    const id = `call-${index}`;
    messages.push({
      role: "assistant",
      source,
      stop: "tool",
      usage: noUsage(),
      parts: [
        { type: "thinking", text: `thinking ${index}\nand more` },
        { type: "text", text: answerText(index) },
        { type: "tool_call", id, name: "bash", arguments: { command: `echo ${index}` } },
      ],
    });
    messages.push({
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id,
          name: "bash",
          isError: false,
          content: [
            { type: "text", text: Array.from({ length: index % 9 }, (_, n) => `out ${n}`).join("\n") },
          ],
          details: { exit_code: index % 3, duration_ms: 1_200, outcome: "found" },
        },
      ],
    });
  }
  return messages.slice(0, count);
}
