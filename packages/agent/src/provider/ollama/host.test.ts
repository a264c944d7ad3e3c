import { expect, test } from "bun:test";
import { parseOllamaHost } from "./host.ts";

test.each([
  ["", "http://127.0.0.1:11434"],
  ["  ", "http://127.0.0.1:11434"],
  ["gpu-box", "http://gpu-box:11434"],
  ["gpu-box:8080", "http://gpu-box:8080"],
  ["gpu-box:80", "http://gpu-box:80"],
  [":8080", "http://127.0.0.1:8080"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8080", "http://127.0.0.1:8080"],
  ["[::]:8080", "http://127.0.0.1:8080"],
  ["[::1]", "http://[::1]:11434"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["::1", "http://[::1]:11434"],
  ["http://gpu-box", "http://gpu-box"],
  ["https://gpu-box", "https://gpu-box"],
  ["https://gpu-box:8443/ollama/", "https://gpu-box:8443/ollama"],
  ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"],
  ["http://127.0.0.1:11434/api/", "http://127.0.0.1:11434"],
  ["gpu-box/ollama", "http://gpu-box:11434/ollama"],
  ["'gpu-box:8080'", "http://gpu-box:8080"],
  ['"http://gpu-box:8080/"', "http://gpu-box:8080"],
])("OLLAMA_HOST=%s leads to %s [A-PROV-04]", (value, url) => {
  expect(parseOllamaHost(value)).toBe(url);
});

test("a value that is no address is given back, so that an error can name it", () => {
  expect(parseOllamaHost("http://[not")).toBe("http://[not");
});
