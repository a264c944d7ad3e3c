import { expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { startProcess, workspace } from "@pi-ts/testkit";
import { isPiError } from "../../../contract/errors.ts";
import { listenAt } from "./listen.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { peerUser } from "./peer-user.ts";

const unix = process.platform !== "win32";
const nobody = () => undefined;

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "none";
  } catch (thrown) {
    return isPiError(thrown) ? thrown.code : String(thrown);
  }
}

/** A socket whose server was killed. */
async function abandoned(path: string): Promise<void> {
  const code = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`;
  await using server = startProcess([process.execPath, "--no-env-file", "-e", code]);
  await server.waitForOutput(/up/);
  server.kill("SIGKILL");
  await server.exited;
}

test.if(unix)("the socket is its owner's alone, and is gone with the server [A-OUT-04][H05]", async () => {
  await using ws = await workspace();
  const before = process.umask();
  const listener = await listenAt(ws.at("s"), nobody);
  expect(statSync(ws.at("s")).mode & 0o777).toBe(0o600);
  expect(process.umask()).toBe(before);
  await listener.close();
  expect(readdirSync(ws.path)).toEqual([]);
});

test.if(unix)(
  "what a killed server left is replaced, and one that answers is not [A-OUT-04][H05]",
  async () => {
    await using ws = await workspace();
    await abandoned(ws.at("s"));
    expect(lstatSync(ws.at("s")).isSocket()).toBe(true);
    const listener = await listenAt(ws.at("s"), (socket) => socket.end("it is me"));
    expect(await codeOf(() => listenAt(ws.at("s"), nobody))).toBe("socket_in_use");
    const answer = Promise.withResolvers<string>();
    connect(ws.at("s")).on("data", (data: Buffer) => answer.resolve(data.toString()));
    expect(await answer.promise).toBe("it is me");
    await listener.close();
  },
);

test.if(unix)("a socket at which another program answers is left alone [H05]", async () => {
  await using ws = await workspace();
  const code = `require("node:net").createServer().listen(${JSON.stringify(ws.at("s"))}, () => console.log("up"))`;
  await using server = startProcess([process.execPath, "--no-env-file", "-e", code]);
  await server.waitForOutput(/up/);
  expect(await codeOf(() => listenAt(ws.at("s"), nobody))).toBe("socket_in_use");
  expect(readdirSync(ws.path)).toEqual(["s"]);
});

test.if(unix)("a file, a folder or a link in its place is refused and stays [H05]", async () => {
  await using ws = await workspace({ file: "mine", "folder/x": "" });
  await abandoned(ws.at("old"));
  symlinkSync(ws.at("old"), ws.at("link"));
  const before = readdirSync(ws.path);
  for (const name of ["file", "folder", "link"])
    expect(await codeOf(() => listenAt(ws.at(name), nobody))).toBe("socket_path");
  expect(readdirSync(ws.path)).toEqual(before);
  expect(ws.read("file")).toBe("mine");
});

test.if(unix)("a path that the system cannot take is refused with its length [H05]", async () => {
  await using ws = await workspace();
  const most = process.platform === "darwin" ? 103 : 107;
  const room = most - Buffer.byteLength(ws.path) - 1;
  const long = ws.at("x".repeat(room + 1));
  await expect(listenAt(long, nobody)).rejects.toThrow(
    `has ${most + 1} bytes, and the system takes at most ${most}`,
  );
  await (await listenAt(ws.at("x".repeat(room)), nobody)).close();
  expect(await codeOf(() => listenAt(ws.at("ä".repeat(room)), nobody))).toBe("socket_path");
});

test.if(unix)("of many that start at once on what was left, one listens [H05]", async () => {
  await using ws = await workspace();
  await abandoned(ws.at("s"));
  const starts = await Promise.allSettled([1, 2, 3, 4, 5].map(() => listenAt(ws.at("s"), nobody)));
  const listening = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  expect(listening).toHaveLength(1);
  await listening[0]!.close();
});

test.if(unix)("a folder that is not there is an error in words", async () => {
  await using ws = await workspace();
  await expect(listenAt(ws.at("no/s"), nobody)).rejects.toThrow("there is no such file or folder");
});

test.if(unix)(
  "the folder of the socket is made for its owner alone, and one that was open is closed [A-OUT-04][H05]",
  async () => {
    await using ws = await workspace();
    ensureOwnFolder(ws.at("made"));
    expect(statSync(ws.at("made")).mode & 0o777).toBe(0o700);
    chmodSync(ws.at("made"), 0o777);
    ensureOwnFolder(ws.at("made"));
    expect(statSync(ws.at("made")).mode & 0o777).toBe(0o700);
  },
);

test.if(unix)("a link or a file in the folder's place is refused [H05]", async () => {
  await using ws = await workspace({ file: "" });
  mkdirSync(join(ws.outside, "theirs"));
  symlinkSync(join(ws.outside, "theirs"), ws.at("link"));
  expect(await codeOf(() => ensureOwnFolder(ws.at("link")))).toBe("socket_folder");
  expect(await codeOf(() => ensureOwnFolder(ws.at("file")))).toBe("socket_folder");
});

test.if(unix)(
  "a runtime folder that is not there is named, with the way to another place [H05]",
  async () => {
    await using ws = await workspace();
    expect(() => ensureOwnFolder(ws.at("gone/pi-ts"))).toThrow(
      expect.objectContaining({
        code: "file_missing",
        message: expect.stringContaining(ws.at("gone/pi-ts")),
        hint: expect.stringContaining("--socket PATH, or set XDG_RUNTIME_DIR"),
      }),
    );
  },
);

test.if(unix)("the system tells whose connection it is [H05]", async () => {
  await using ws = await workspace();
  const peer = await peerUser();
  const user = Promise.withResolvers<number | null>();
  const listener = await listenAt(ws.at("s"), (socket) => {
    user.resolve(peer(socket));
    socket.end();
  });
  connect(ws.at("s"));
  expect(await user.promise).toBe(process.getuid!());
  await listener.close();
});
