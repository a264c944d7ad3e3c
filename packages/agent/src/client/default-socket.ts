import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where `pi --mode rpc` listens without `--socket`: below the user's runtime folder (`XDG_RUNTIME_DIR`), else in a folder of the user's
 * own below the temporary one; on Windows a named pipe.
 */
export function defaultSocketPath(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\pi-ts-${userInfo().username}`;
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  if (isAbsolute(runtime)) return join(runtime, "pi-ts", "rpc.sock");
  const temporary = environment["TMPDIR"] || tmpdir();
  return join(temporary, `pi-ts-${process.getuid?.() ?? 0}`, "rpc.sock");
}
