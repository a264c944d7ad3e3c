import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { withPrivateTempFile } from "./private-temp-file.ts";

test("the text goes to a file for the user alone, comes back changed, and nothing is left", async () => {
  let seen = "";
  const { result, text } = await withPrivateTempFile("prompt.md", "before é", async (path) => {
    seen = path;
    expect(readFileSync(path, "utf8")).toBe("before é");
    if (process.platform !== "win32") {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    }
    writeFileSync(path, "after");
    return 7;
  });
  expect([result, text, existsSync(dirname(seen))]).toEqual([7, "after", false]);
});

test("nothing is left when the use fails or the file is gone", async () => {
  let seen = "";
  const failed = withPrivateTempFile("a", "x", async (path) => {
    seen = path;
    throw new Error("no editor");
  });
  expect(await failed.catch((thrown) => thrown.message)).toBe("no editor");
  expect(existsSync(dirname(seen))).toBe(false);

  const gone = withPrivateTempFile("a", "x", async (path) => {
    seen = path;
    rmSync(path);
  });
  expect(await gone.catch((thrown) => thrown.code)).toBe("file_missing");
  expect(existsSync(dirname(seen))).toBe(false);
});
