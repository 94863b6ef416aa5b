import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** One body in one write. A `Response` with the same text goes through a stream, which takes longer than most calls. */
export function sendText(outgoing: ServerResponse, { status, headers, text }: TextAnswer): Response {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

/** Once the answer has gone out or its reader has gone away, which may have happened already. */
export function whenOver(outgoing: ServerResponse, work: () => void): void {
  if (outgoing.closed) work();
  else outgoing.once('close', work);
}

export interface TextAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  text: string;
}

/**
 * What the protocol layer answers soon goes out as it is. Later than that the head of an event stream goes first,
 * and a comment now and then: a client must not take a long query for a dead server.
 */
export async function sendInTime(
  outgoing: ServerResponse,
  answer: Promise<Response>,
  { patienceMs = 250, keepAliveMs = 15_000 } = {},
): Promise<Response> {
  const patience = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => patience.resolve(undefined), patienceMs);
  const soon = await Promise.race([answer, patience.promise]);
  clearTimeout(timer);
  if (!soon) return sendLate(outgoing, answer, keepAliveMs);
  return isStream(soon) ? soon : sendText(outgoing, await readText(soon));
}

export async function readText(response: Response): Promise<TextAnswer> {
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

async function sendLate(
  outgoing: ServerResponse,
  answer: Promise<Response>,
  keepAliveMs: number,
): Promise<Response> {
  const comment = (text: string) => {
    if (!outgoing.destroyed) outgoing.write(`: ${text}\n\n`);
  };
  outgoing.writeHead(200, streamHeaders);
  comment('running');
  const keepAlive = setInterval(() => comment('keepalive'), keepAliveMs).unref();
  try {
    const response = await answer;
    if (isStream(response)) await pipeline(response.body, outgoing);
    else if (!outgoing.destroyed) outgoing.end(`event: message\ndata: ${await response.text()}\n\n`);
  } catch (error) {
    // Its reader has gone away, which ended the call too.
    if (!outgoing.destroyed) throw error;
  } finally {
    clearInterval(keepAlive);
  }
  return RESPONSE_ALREADY_SENT;
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

function isStream(response: Response): response is Response & { body: NonNullable<Response['body']> } {
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return isEvents && response.body !== null;
}
