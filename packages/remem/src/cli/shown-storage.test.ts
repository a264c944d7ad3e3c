import { expect, test } from "bun:test";
import { hasPassword, withoutPassword } from "./shown-storage.ts";

const ADDRESSES: readonly (readonly [string, string, boolean])[] = [
  ["postgres://ann:s3cret@db:5432/m", "postgres://ann:***@db:5432/m", true],
  ["postgres://ann@db/m", "postgres://ann@db/m", false],
  ["postgres://db/m?user=ann&password=s3cret", "postgres://db/m?user=ann&password=***", true],
  ["postgresql://db/m?sslkey=s3cret", "postgresql://db/m?sslkey=***", true],
  ["s3cret, which is no address", "(an address that cannot be read)", true],
];
test.each(ADDRESSES)("%s is shown without its password [W12]", (address, shown, secret) => {
  expect(withoutPassword(address)).toBe(shown);
  expect(hasPassword(address)).toBe(secret);
});
