import { expect, test } from "bun:test";
import { publicAddress } from "./public-address.ts";

test.each([
  ["https://api.example.com/v1", "https://api.example.com/v1"],
  ["https://user:topsecret@h:8080/v1", "https://…@h:8080/v1"],
  ["https://topsecret@h", "https://…@h"],
  ["https://user:top@secret@h/a@b", "https://…@h/a@b"],
  ["user:topsecret@h", "…@h"],
  ["ftp://user:topsecret@h/", "ftp://…@h/"],
  ["https://h/v1?key=topsecret#x", "https://h/v1?…"],
  ["127.0.0.1:11434", "127.0.0.1:11434"],
  ["", ""],
])("%s is shown as %s [X05]", (address, shown) => {
  expect(publicAddress(address)).toBe(shown);
});
