import { expect, test } from "bun:test";
import { isLoopback } from "../../platform/loopback.ts";
import { proxyFor } from "./proxy.ts";

const BOTH = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://p:2" };

type Row = [url: string, environment: Record<string, string>, proxy: string | false];

test.each<Row>([
  ["https://api.example/", BOTH, "http://p:2"],
  ["http://api.example/", BOTH, "http://p:1"],
  ["https://api.example/", { ...BOTH, https_proxy: "http://lower:3" }, "http://lower:3"],
  ["https://api.example/", { ALL_PROXY: "p:4" }, "http://p:4"],
  ["https://api.example/", { HTTP_PROXY: "http://p:1" }, false],
  ["https://api.example/", {}, false],
  ["http://127.0.0.1:11434/", BOTH, false],
  ["http://localhost/", BOTH, false],
  ["http://[::1]:8080/", BOTH, false],
  ["https://api.example/", { ...BOTH, NO_PROXY: "*" }, false],
  ["https://api.example/", { ...BOTH, NO_PROXY: "other, example" }, false],
  ["https://api.example/", { ...BOTH, NO_PROXY: ".example" }, false],
  ["https://api.example/", { ...BOTH, NO_PROXY: "*.example" }, false],
  ["https://api.example/", { ...BOTH, NO_PROXY: "pi.example,ample" }, "http://p:2"],
  ["https://api.example/", { ...BOTH, no_proxy: "API.EXAMPLE:443" }, false],
  ["https://api.example:8443/", { ...BOTH, no_proxy: "api.example:443" }, "http://p:2"],
  ["http://10.1.2.3/", { ...BOTH, NO_PROXY: "10.0.0.0/8" }, false],
  ["http://11.1.2.3/", { ...BOTH, NO_PROXY: "10.0.0.0/8" }, "http://p:1"],
  ["http://[fd00::1]/", { ...BOTH, NO_PROXY: "fd00::1" }, false],
])("the way to %s with %j is through %s", (url, environment, proxy) => {
  expect(proxyFor(new URL(url), environment)).toBe(proxy);
});

test.each([
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "127.0.0.1",
  "127.9.9.9",
  "[::1]",
  "::1",
  "[::ffff:7f00:1]",
])("%s is this machine", (host) => expect(isLoopback(host)).toBe(true));

test.each(["localhost.example", "127.0.0.1.example", "128.0.0.1", "[::2]", "0.0.0.0"])(
  "%s is not this machine",
  (host) => expect(isLoopback(host)).toBe(false),
);
