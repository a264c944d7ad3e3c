import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { scan } from "./scan.ts";
import { scanFile } from "./scan-file.ts";

test("a file that is read in small pieces gives the same findings as one read at once", async () => {
  const line = "été 日本 pass\u200bword 👩\u200d💻\r\nשלום \u2067abc\u2069\nsoft\u00adhyphen\n";
  const text = `\ufeff${line.repeat(40)}`;
  await using ws = await workspace({ "a.md": text });
  const { size, ...pieces } = (await scanFile(ws.at("a.md"), undefined, 9000)) as { size: number };
  expect(size).toBe(Buffer.byteLength(text));
  expect(pieces as unknown).toEqual(scan(text));
  const { size: _, ...small } = (await scanFile(ws.at("a.md"), undefined, 150)) as { size: number };
  expect(small as unknown).toEqual(scan(text));
});

test("a line longer than a piece keeps its columns and offsets, and no character is cut in two", async () => {
  const text = `${"日本".repeat(5000)}\u200b${"é".repeat(9000)}\u202e`;
  await using ws = await workspace({ "a.md": text });
  expect((await scanFile(ws.at("a.md"), undefined, 10)) as unknown).toEqual({
    ...scan(text),
    findings: scan(text).findings.map((finding) => ({ ...finding, context: expect.any(String) })),
    size: Buffer.byteLength(text),
  });
});

test("findings of all pieces together are bounded, and all are counted", async () => {
  await using ws = await workspace({ "a.md": "a\u200bb\n".repeat(5000) });
  const scanned = await scanFile(ws.at("a.md"), undefined, 8192);
  expect(scanned).toMatchObject({ counts: { critical: 5000 }, leftOut: 4900 });
  expect((scanned as { findings: unknown[] }).findings).toHaveLength(100);
});

test("a file with NUL bytes is no text, unless its name says that it is read as one [A-AUDIT-01]", async () => {
  const bytes = Uint8Array.of(0x89, 0x50, 0, 0, 0xff);
  await using ws = await workspace({});
  ws.write("logo.png", bytes);
  ws.write("SKILL.md", bytes);
  expect(await scanFile(ws.at("logo.png"))).toBe("binary");
  expect(await scanFile(ws.at("SKILL.md"))).toMatchObject({ counts: { critical: 2, warning: 2 } });
});

test("an empty file is clean", async () => {
  await using ws = await workspace({ "a.md": "" });
  expect(await scanFile(ws.at("a.md"))).toEqual({
    findings: [],
    counts: { critical: 0, warning: 0, info: 0 },
    leftOut: 0,
    size: 0,
  });
});
