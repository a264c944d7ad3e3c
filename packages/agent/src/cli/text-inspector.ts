import { scan } from "../audit/scan.ts";
import type { InspectText } from "../extension/skills/skill.ts";

/** Refuses texts with hidden characters that can carry orders for a model. */
export function textInspector(): InspectText {
  return (text) => {
    const found = scan(text).findings.find(({ severity }) => severity === "critical");
    if (found === undefined) return {};
    const { line, codePoint, name, why } = found;
    return {
      line,
      problem: `it holds the hidden character ${codePoint} ${name}: ${why}; pi audit --strip removes it`,
    };
  };
}
