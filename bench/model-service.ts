/**
 * A model service that costs next to nothing, as a process of its own, so that a benchmark measures pi and not the service.
 * It speaks the Responses API and checks nothing. What it answers is in the prompt: `bench:{"calls":[…]}` asks for these calls
 * one after the other, then a text; `bench:{"stream":{…}}` for a long text in pieces; anything else gets a text at once. `GET /last` gives
 * the size and tool count of the last request, `POST /go` lets streams go on that wait after their first piece.
 */
import { markdownText } from "./terminal/markdown-text.ts";

interface Plan {
  calls?: { name: string; input: object }[];
  stream?: StreamPlan;
}

/** A text of so many characters, in pieces, so many milliseconds apart (0: as fast as it goes). */
export interface StreamPlan {
  name: string;
  characters: number;
  piece: number;
  everyMs: number;
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 105,
};
let last = { bytes: 0, tools: 0 };
let go = Promise.withResolvers<void>();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") return Response.json(last);
    if (new URL(request.url).pathname === "/go") {
      go.resolve();
      go = Promise.withResolvers();
      return new Response();
    }
    const body = await request.text();
    last = { bytes: Buffer.byteLength(body), tools: body.split('"type":"function","name"').length - 1 };
    const plan = planOf(body);
    const done = body.split('"function_call_output"').length - 1;
    const next = plan?.calls?.[done];
    const item = next === undefined ? textItem("done") : callItem(next, done);
    return new Response(plan?.stream ? longStream(plan.stream) : shortStream(item), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);

/** The last plan that is whole: a memory of an earlier run may quote a part of one behind the prompt. */
function planOf(body: string): Plan | null {
  for (let start = body.lastIndexOf("bench:"); start >= 0; start = body.lastIndexOf("bench:", start - 1)) {
    const end = body.indexOf(":end", start);
    try {
      if (end >= 0) return JSON.parse(JSON.parse(`"${body.slice(start + 6, end)}"`) as string) as Plan;
    } catch {
      // a part of one
    }
    if (start === 0) break;
  }
  return null;
}

function callItem({ name, input }: { name: string; input: object }, index: number) {
  return {
    type: "function_call" as const,
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name,
    arguments: JSON.stringify(input),
    status: "completed",
  };
}

function textItem(text: string) {
  return {
    type: "message" as const,
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

type Item = ReturnType<typeof callItem> | ReturnType<typeof textItem>;

function shortStream(item: Item): string {
  const delta =
    item.type === "message"
      ? textDelta("done")
      : {
          type: "response.function_call_arguments.delta",
          output_index: 0,
          item_id: item.id,
          delta: item.arguments,
        };
  return [...opening(item), delta, ...closing(item)].map(eventText).join("");
}

function longStream(plan: StreamPlan): ReadableStream<Uint8Array> {
  const events = longEvents(plan);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function* longEvents({ name, characters, piece, everyMs }: StreamPlan): AsyncGenerator<string, void> {
  const text = markdownText(name, characters);
  const item = textItem(text);
  for (const event of opening(item)) yield eventText(event);
  for (let at = 0; at < text.length; at += piece) {
    yield eventText(textDelta(text.slice(at, at + piece)));
    if (at === 0) await go.promise;
    else if (everyMs > 0) await Bun.sleep(everyMs);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  for (const event of closing(item)) yield eventText(event);
}

function textDelta(delta: string) {
  return {
    type: "response.output_text.delta",
    output_index: 0,
    item_id: "msg_1",
    content_index: 0,
    delta,
  };
}

function opening(item: Item): { type: string }[] {
  const added = item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" };
  return [
    { type: "response.created", response: { id: "resp_1", status: "in_progress" } } as { type: string },
    { type: "response.output_item.added", output_index: 0, item: added } as { type: string },
  ];
}

function closing(item: Item): { type: string }[] {
  return [
    { type: "response.output_item.done", output_index: 0, item } as { type: string },
    {
      type: "response.completed",
      response: { id: "resp_1", status: "completed", output: [item], usage: USAGE },
    } as { type: string },
  ];
}

function eventText(event: { type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
