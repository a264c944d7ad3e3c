/** A real browser without a window, for pages that must work in one. */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { startProcess, type Workspace } from "@pi-ts/testkit";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program; null when none is installed. */
export const BROWSER: string | null = PLACES.find((path) => existsSync(path)) ?? null;

export interface Page extends AsyncDisposable {
  /** The value of an expression in the page. */
  value<T>(expression: string): Promise<T>;
  /** Waits until an expression is true; throws after 60 s. */
  until(expression: string): Promise<void>;
  /** Messages that the page or the browser wrote to the console, and addresses that were asked for. */
  readonly console: string[];
  readonly requests: string[];
}

/** Opens a file in a fresh profile. */
export async function openPage(ws: Workspace, file: string): Promise<Page> {
  const browser = startProcess(
    [
      BROWSER!,
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      `--user-data-dir=${ws.home}/browser`,
      "--remote-debugging-port=0",
      "about:blank",
    ],
    { cwd: ws.path, env: ws.env({}) },
  );
  const [, port] = await browser.waitForOutput(/DevTools listening on ws:\/\/[^:]+:(\d+)/);
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets.find(({ type }) => type === "page")!.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  const heard: string[] = [];
  const requests: string[] = [];
  let loaded: () => void;
  const load = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
      result?: Record<string, unknown>;
    };
    if (message.id !== undefined) waiting.get(message.id)?.(message.result ?? {});
    if (message.method === "Log.entryAdded" || message.method === "Runtime.consoleAPICalled")
      heard.push(JSON.stringify(message.params));
    if (message.method === "Network.requestWillBeSent")
      requests.push((message.params!["request"] as { url: string }).url);
    if (message.method === "Page.loadEventFired") loaded();
  });
  let last = 0;
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  for (const domain of ["Page", "Log", "Runtime", "Network"]) await send(`${domain}.enable`);
  await send("Page.navigate", { url: pathToFileURL(file).href });
  await load;
  const value = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: object };
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  return {
    value,
    console: heard,
    requests,
    until: async (expression) => {
      const end = performance.now() + 60_000;
      while (!(await value<boolean>(`Boolean(${expression})`))) {
        if (performance.now() > end) throw new Error(`it never became true: ${expression}`);
        await value("new Promise((resolve) => requestAnimationFrame(resolve))");
      }
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      await browser[Symbol.asyncDispose]();
    },
  };
}
