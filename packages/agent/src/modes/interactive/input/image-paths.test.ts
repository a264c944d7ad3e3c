import { expect, test } from "bun:test";
import { imagePathsIn } from "./image-paths.ts";

const CASES: readonly [string, readonly string[]][] = [
  ["/home/me/shot.png", ["/home/me/shot.png"]],
  ["/path/with\\ space.png ", ["/path/with space.png"]],
  ["'/path/with space.JPG'", ["/path/with space.JPG"]],
  ['"/path/with space.webp"', ["/path/with space.webp"]],
  ["file:///tmp/a%20b.gif", ["/tmp/a b.gif"]],
  ["file://localhost/tmp/a.png", ["/tmp/a.png"]],
  ["file:///C:/Users/me/a.png", ["C:/Users/me/a.png"]],
  ["C:\\Users\\me\\a.png", ["C:\\Users\\me\\a.png"]],
  ['"C:\\Users\\my name\\a.png"', ["C:\\Users\\my name\\a.png"]],
  ["~/a.jpeg", ["~/a.jpeg"]],
  ["/a.png /b\\ c.png '/d e.png'", ["/a.png", "/b c.png", "/d e.png"]],
  ["/path/with space.png", ["/path/with space.png"]],
  ["file:///tmp/100%.png", ["/tmp/100%.png"]],
];

test("a dropped image is found in each form that terminals write", () => {
  for (const [text, paths] of CASES)
    expect(imagePathsIn(text).map((found) => found.path)).toEqual([...paths]);
});

test("text that is not only image paths is left alone", () => {
  for (const text of [
    "",
    "see /home/me/shot.png",
    "/home/me/notes.txt",
    "shot.png",
    "/a.png\n/b.png",
    "/a.png /b.txt",
    "https://example.com/a.png",
    "/etc/passwd.png.sh",
  ])
    expect([text, imagePathsIn(text)]).toEqual([text, []]);
});
