/**
 * A model service that costs next to nothing, as a process of its own, so that a benchmark measures pi and not the service.
 * It speaks the Responses API and checks nothing. What it answers is in the prompt: `bench:{"calls":[…]}` asks for these calls
 * one after the other, then a text; anything else gets a text at once. `GET /last` gives the size and tool count of the last request.
 */
interface Plan {
  calls: { name: string; input: object }[];
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 105,
};
let last = { bytes: 0, tools: 0 };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") return Response.json(last);
    const body = await request.text();
    last = { bytes: Buffer.byteLength(body), tools: body.split('"type":"function","name"').length - 1 };
    const plan = planOf(body);
    const done = body.split('"function_call_output"').length - 1;
    const next = plan?.calls[done];
    return new Response(stream(next === undefined ? textItem() : callItem(next, done)), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);

function planOf(body: string): Plan | null {
  const start = body.indexOf("bench:");
  if (start < 0) return null;
  const end = body.indexOf(":end", start);
  return JSON.parse(JSON.parse(`"${body.slice(start + 6, end)}"`) as string) as Plan;
}

function callItem({ name, input }: Plan["calls"][number], index: number) {
  return {
    type: "function_call" as const,
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name,
    arguments: JSON.stringify(input),
    status: "completed",
  };
}

function textItem() {
  return {
    type: "message" as const,
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "done", annotations: [] }],
  };
}

function stream(item: ReturnType<typeof callItem> | ReturnType<typeof textItem>): string {
  const events = [
    { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" },
    },
    item.type === "message"
      ? {
          type: "response.output_text.delta",
          output_index: 0,
          item_id: item.id,
          content_index: 0,
          delta: "done",
        }
      : {
          type: "response.function_call_arguments.delta",
          output_index: 0,
          item_id: item.id,
          delta: item.arguments,
        },
    { type: "response.output_item.done", output_index: 0, item },
    {
      type: "response.completed",
      response: { id: "resp_1", status: "completed", output: [item], usage: USAGE },
    },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
