/**
 * A Responses service, as a process of its own, that asks for a bash command as often as its argument says and then ends the turn. `GET /`
 * gives, in milliseconds and in order, what each step took on the other side: from the end of an answer to the arrival of the next request.
 */
const steps = Number(process.argv[2]);
const took: number[] = [];
let asked = 0;
let answeredAt = Number.NaN;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") return Response.json(took);
    await request.arrayBuffer();
    if (asked > 0) took.push(performance.now() - answeredAt);
    const answer = asked < steps ? callItem(asked) : textItem();
    asked++;
    const body = events(answer);
    answeredAt = performance.now();
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);

function callItem(index: number) {
  const input = { command: `echo step ${index}` };
  return {
    type: "function_call",
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name: "bash",
    arguments: JSON.stringify(input),
    status: "completed",
  };
}

function textItem() {
  const content = [{ type: "output_text", text: "done", annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
}

function events(item: ReturnType<typeof callItem> | ReturnType<typeof textItem>): string {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 105,
  };
  const response = { id: `resp_${asked}`, status: "completed", output: [item], usage };
  return [
    { type: "response.created", response: { id: response.id, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}
