import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileFailure } from "./file-failure.ts";

/**
 * Writes a text to a file that only the user can read (0600, in a folder of its own with 0700), gives its path to `use`, and takes the
 * text back from it. The file is removed in any case. Throws a PiError with a FileErrorCode when it cannot be written or read, and what
 * `use` throws.
 */
export async function withPrivateTempFile<T>(
  name: string,
  text: string,
  use: (path: string) => Promise<T>,
): Promise<{ result: T; text: string }> {
  const folder = attempt("make a folder in", tmpdir(), () =>
    mkdtempSync(join(realpathSync(tmpdir()), "pi-")),
  );
  try {
    const path = join(folder, name);
    attempt("write", path, () => writeFileSync(path, text, { mode: 0o600, flag: "wx" }));
    const result = await use(path);
    return { result, text: attempt("read", path, () => readFileSync(path, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function attempt<T>(action: string, path: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw fileFailure(action, path, thrown);
  }
}
