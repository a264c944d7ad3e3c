import type { Paint, Theme } from "../../theme/theme.ts";
import type { Run } from "../document/runs.ts";

const PIECE = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITY = /&(?:amp|lt|gt|quot|#x27);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** What highlight.js writes as HTML, as lines of painted runs. */
export function htmlRuns(html: string, theme: Theme): Run[][] {
  const lines: Run[][] = [[]];
  const paints: (Paint | undefined)[] = [];
  for (const [piece, classes] of html.matchAll(PIECE)) {
    if (classes !== undefined) paints.push(paintOf(classes, theme) ?? paints.at(-1));
    else if (piece === "</span>") paints.pop();
    else {
      const text = piece.replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity);
      for (const [index, line] of text.split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (line !== "") lines.at(-1)!.push({ text: line, paint: paints.at(-1) });
      }
    }
  }
  return lines;
}

function paintOf(classes: string, theme: Theme): Paint | undefined {
  const [scope = "", sub = ""] = classes.replace(/hljs-/g, "").split(" ");
  const { color } = theme;
  switch (scope) {
    case "keyword":
    case "operator":
    case "selector-tag":
    case "meta":
    case "name":
    case "tag":
      return color.syntaxKeyword;
    case "string":
    case "regexp":
    case "char":
    case "quote":
    case "selector-attr":
    case "selector-pseudo":
      return color.syntaxString;
    case "number":
    case "literal":
    case "symbol":
      return color.syntaxNumber;
    case "comment":
    case "doctag":
      return color.syntaxComment;
    case "title":
      return sub === "class_" ? color.syntaxType : color.syntaxFunction;
    case "section":
    case "built_in":
      return color.syntaxFunction;
    case "type":
    case "class":
    case "selector-class":
    case "selector-id":
      return color.syntaxType;
    case "variable":
    case "template-variable":
    case "attr":
    case "attribute":
    case "property":
    case "params":
      return color.syntaxVariable;
    case "addition":
      return color.diffAdded;
    case "deletion":
      return color.diffRemoved;
    // Code within a string is code again.
    case "subst":
      return color.text;
    default:
      return undefined;
  }
}
