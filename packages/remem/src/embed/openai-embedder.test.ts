import { expect, test } from "bun:test";
import { EmbedderError } from "./embedder-error.ts";
import { OpenAIEmbedder, type OpenAIEmbedderOptions } from "./openai-embedder.ts";

interface Received {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: { model: string; input: string[]; dimensions?: number };
}

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
}

/** A service on a loopback port; `answer` sees how many requests came before. */
function service(answer: (request: Received, before: number) => Response | Promise<Response>): Service {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const one: Received = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get("authorization"),
        body: (await request.json()) as Received["body"],
      };
      received.push(one);
      return answer(one, received.length - 1);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return { url: `http://${host}/v1`, host, received, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** As services answer: a vector a text that points where its first letter says, in reverse order. */
const vectorsOf = ({ body }: Received): Response =>
  Response.json({
    data: body.input
      .map((text, index) => ({ index, embedding: text.startsWith("a") ? [3, 0] : [0, 5] }))
      .reverse(),
  });

const embedder = (url: string, more: Partial<OpenAIEmbedderOptions> = {}): OpenAIEmbedder =>
  new OpenAIEmbedder({ baseUrl: url, model: "small", dimensions: 2, wait: () => Promise.resolve(), ...more });

async function failure(work: Promise<unknown>): Promise<EmbedderError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!EmbedderError.is(error)) throw new Error(`not an EmbedderError: ${String(error)}`);
  return error;
}

test("texts become vectors of length 1 in their order, in batches, with the caller's key", async () => {
  await using remote = service(vectorsOf);
  const vectors = await embedder(remote.url, { batch: 2, apiKey: "k-1" }).embed(["a", "b", "a"], "document");
  expect(vectors.map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(remote.received.map(({ body }) => body.input)).toEqual([["a", "b"], ["a"]]);
  expect(remote.received[0]).toMatchObject({ path: "/v1/embeddings", authorization: "Bearer k-1" });
});

test("without a key none is sent, and a blank text is never sent", async () => {
  await using remote = service(vectorsOf);
  const [blank, known] = await embedder(remote.url).embed(["  ", "a"], "document");
  expect([...blank!]).toEqual([0, 0]);
  expect([...known!]).toEqual([1, 0]);
  expect(remote.received).toHaveLength(1);
  expect(remote.received[0]).toMatchObject({ authorization: null, body: { input: ["a"] } });
});

test("instructions stand before questions and texts, and are part of the fingerprint", async () => {
  await using remote = service(vectorsOf);
  const instructed = embedder(remote.url, { queryInstruction: "query: ", documentInstruction: "passage: " });
  await instructed.embed(["x"], "query");
  await instructed.embed(["x"], "document");
  expect(remote.received.flatMap(({ body }) => body.input)).toEqual(["query: x", "passage: x"]);
  expect(instructed.space.fingerprint).not.toBe(embedder(remote.url).space.fingerprint);
});

test("another host, model or length is another space, the same settings are the same one [R13]", () => {
  const of = (more: Partial<OpenAIEmbedderOptions>): string =>
    embedder("http://127.0.0.1:1/v1", more).space.fingerprint;
  const fingerprints = [
    of({}),
    of({ baseUrl: "http://127.0.0.1:2/v1" }),
    of({ model: "large" }),
    of({ dimensions: 3 }),
  ];
  expect(new Set(fingerprints).size).toBe(4);
  expect(of({ baseUrl: "http://127.0.0.1:1/v1/", apiKey: "k", batch: 1 })).toBe(of({}));
});

test("a busy service is asked again after the time it names, a bounded number of times", async () => {
  await using busy = service((request, before) =>
    before === 0 ? new Response("", { status: 429, headers: { "retry-after": "2" } }) : vectorsOf(request),
  );
  const waits: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  await embedder(busy.url, { wait }).embed(["a"], "document");
  expect(waits).toEqual([2_000]);

  await using down = service(() => new Response("", { status: 503, headers: { "retry-after": "9999" } }));
  waits.length = 0;
  await failure(embedder(down.url, { wait, attempts: 3 }).embed(["a"], "document"));
  expect(down.received).toHaveLength(3);
  expect(waits).toEqual([8_000, 8_000]);
});

test("a question is asked once: somebody waits for it", async () => {
  await using down = service(() => new Response("", { status: 503 }));
  await failure(embedder(down.url).embed(["a"], "query"));
  expect(down.received).toHaveLength(1);
});

test("a refusal names host and status, and neither the text nor the key nor the service's words [R13]", async () => {
  await using remote = service(({ body, authorization }) =>
    Response.json({ error: `${authorization} ${body.input[0]}` }, { status: 401 }),
  );
  const error = await failure(embedder(remote.url, { apiKey: "k-secret" }).embed(["my-text"], "document"));
  expect(error).toMatchObject({ code: "refused", hint: "check the key of the embedding service" });
  expect(error.message).toContain(`${remote.host} answered with status 401`);
  expect(JSON.stringify([error.message, error.hint, error.stack, error.cause])).not.toMatch(
    /k-secret|my-text/,
  );
  expect(remote.received).toHaveLength(1);
});

test("a key does not follow a redirect to another place", async () => {
  await using other = service(vectorsOf);
  await using remote = service(() => Response.redirect(`${other.url}/embeddings`, 307));
  const error = await failure(embedder(remote.url, { apiKey: "k" }).embed(["a"], "document"));
  expect(error.message).toContain("status 307");
  expect(other.received).toEqual([]);
});

test("answers that are no vectors of that length are refused with what is wrong [R13]", async () => {
  const answers: [unknown, string][] = [
    [{ data: [{ index: 0, embedding: [1, 2, 3] }] }, "vectors of 3 numbers where 2 are set"],
    [{ data: [] }, "0 vectors for 1 texts"],
    [{ data: [{ index: 0, embedding: [1, null] }] }, "no number"],
    [{ data: [{ index: 7, embedding: [1, 2] }] }, "no list of vectors"],
    [{ models: [] }, "no list of vectors"],
  ];
  for (const [answer, said] of answers) {
    await using remote = service(() => Response.json(answer));
    const error = await failure(embedder(remote.url).embed(["a"], "document"));
    expect(error.code).toBe("bad_answer");
    expect(error.message).toContain(said);
  }
  await using page = service(() => new Response("<html>my-text</html>"));
  const error = await failure(embedder(page.url).embed(["a"], "document"));
  expect(error.message).toContain("no JSON");
  expect(error.message).not.toContain("my-text");
});

test("a service that is not there is named", async () => {
  const gone = service(vectorsOf);
  await gone[Symbol.asyncDispose]();
  const error = await failure(embedder(gone.url).embed(["a"], "document"));
  expect(error).toMatchObject({ code: "unreachable" });
  expect(error.message).toContain(gone.host);
});

test("a service that does not answer is left after the time limit, and at once when the caller aborts", async () => {
  const { promise: arrived, resolve: asked } = Promise.withResolvers<void>();
  await using silent = service(() => {
    asked();
    return Promise.withResolvers<Response>().promise;
  });
  const late = await failure(embedder(silent.url, { timeoutMs: 20, attempts: 1 }).embed(["a"], "document"));
  expect(late.code).toBe("timed_out");
  const controller = new AbortController();
  const work = embedder(silent.url).embed(["a"], "document", controller.signal);
  await arrived;
  controller.abort(new Error("enough"));
  await expect(work).rejects.toThrow("enough");
});

test("settings that cannot work are refused with what to do", () => {
  expect(() => embedder("api.example.com/v1")).toThrow("no http or https address");
  expect(() => embedder("https://user:pw@example.com/v1")).toThrow("holds a user name or a password");
  expect(() => embedder("http://127.0.0.1/v1", { dimensions: 0 })).toThrow("no length of a vector");
});

test("a query of the base URL stays behind the path", async () => {
  const paths: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname + search);
      return Response.json({ data: [{ index: 0, embedding: [1, 0] }] });
    },
  });
  try {
    await embedder(`http://127.0.0.1:${server.port}/v1?api-version=1`).embed(["a"], "query");
  } finally {
    await server.stop(true);
  }
  expect(paths).toEqual(["/v1/embeddings?api-version=1"]);
});
