/**
 * When a test fails and the disposal of a kit part complains too, JavaScript throws a SuppressedError without a
 * message, and Bun prints just that. This gives it one: first what the test found, then the complaint.
 */
export function explainSuppressedErrors(): void {
  Object.defineProperty(SuppressedError.prototype, "message", {
    configurable: true,
    get(this: SuppressedError) {
      return `${worded(this.suppressed)}\n\nand at its disposal: ${worded(this.error)}`;
    },
  });
}

function worded(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
