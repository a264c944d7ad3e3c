import { afterEach, expect, test } from "bun:test";
import { workspace } from "../workspace/workspace.ts";
import { goldenScreens } from "./golden-screen.ts";
import { Screen } from "./screen.ts";

afterEach(() => {
  delete process.env["RENEW_SCREENS"];
});

async function shown(text: string): Promise<Screen> {
  const screen = new Screen(20, 3);
  await screen.write(text);
  return screen;
}

test("a screen that was renewed is matched from then on", async () => {
  await using folder = await workspace();
  const expectScreen = goldenScreens(folder.path);
  process.env["RENEW_SCREENS"] = "1";
  await expectScreen(await shown("hello\r\nworld")).toMatchGolden("start");
  delete process.env["RENEW_SCREENS"];
  await expectScreen(await shown("hello\r\nworld")).toMatchGolden("start");
  expect(folder.read("__screens__/start.txt")).toBe("20 × 3, cursor in row 1, column 5\nhello\nworld\n\n");
});

test("a screen that differs is told by its rows", async () => {
  await using folder = await workspace({
    "__screens__/start.txt": "20 × 3, cursor in row 0, column 5\nhello\n\n\n",
  });
  const screen = await shown("hallo");
  await expect(goldenScreens(folder.path)(screen).toMatchGolden("start")).rejects.toThrow(
    "2 - hello\n2 + hallo\n\nthe whole screen",
  );
});

test("a screen that is still being written is waited for", async () => {
  await using folder = await workspace({
    "__screens__/start.txt": "20 × 3, cursor in row 0, column 5\nhello\n\n\n",
  });
  const screen = await shown("hel");
  const changing = Object.assign(screen, { settled: () => screen.write("lo") });
  await goldenScreens(folder.path)(changing).toMatchGolden("start");
});

test("where a hidden cursor stands is not compared", async () => {
  await using folder = await workspace({ "__screens__/start.txt": "20 × 3, cursor hidden\nhello\n\n\n" });
  const expectScreen = goldenScreens(folder.path);
  for (const text of ["hello", "hello\x1b[3;9H"])
    await expectScreen(Object.assign(await shown(text), { modes: { cursorHidden: true } })).toMatchGolden(
      "start",
    );
});

test("a screen without a file fails and writes nothing", async () => {
  await using folder = await workspace();
  const screen = await shown("hello");
  await expect(goldenScreens(folder.path)(screen).toMatchGolden("start")).rejects.toThrow(
    /RENEW_SCREENS=1.*hello/s,
  );
  expect(folder.exists("__screens__")).toBe(false);
});

test("styles are compared where they are asked for", async () => {
  await using folder = await workspace();
  const expectScreen = goldenScreens(folder.path);
  process.env["RENEW_SCREENS"] = "1";
  await expectScreen(await shown("\x1b[1;31mred\x1b[0m")).toMatchGolden("styled", { styles: true });
  delete process.env["RENEW_SCREENS"];
  expect(folder.read("__screens__/styled.txt")).toContain("0: 0+3 1 bold\n");
  const plain = await shown("red");
  await expect(expectScreen(plain).toMatchGolden("styled", { styles: true })).rejects.toThrow("0+3 1 bold");
});

test("what differs from run to run is masked in its width", async () => {
  await using folder = await workspace({
    "__screens__/version.txt": "20 × 3, cursor in row 0, column 8\nv ····· !\n\n\n",
  });
  const mask = [/\d+\.\d+\.\d+/];
  const screen = await shown("v 1.2.3 !\x1b[1;9H");
  await goldenScreens(folder.path)(screen).toMatchGolden("version", { mask });
  await expect(goldenScreens(folder.path)(screen).toMatchGolden("version")).rejects.toThrow("+ v 1.2.3 !");
});
