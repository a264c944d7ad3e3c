/** A whole-text expression for a text in which `*` stands for any characters. */
export function wildcard(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(escapeExpression).join("[\\s\\S]*")}$`);
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
