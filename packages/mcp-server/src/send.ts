import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A stream, or the whole body. */
export type Answer = Response | TextAnswer;

interface TextAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  text: string;
}

/** Reads the body to its end, so that one write can send it. An event stream is returned unread. */
export async function readAnswer(response: Response): Promise<Answer> {
  if (isStream(response)) return response;
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

export async function answer(outgoing: ServerResponse, response: Response): Promise<void> {
  await send(outgoing, await readAnswer(response));
}

async function send(outgoing: ServerResponse, answer: Answer): Promise<void> {
  if (answer instanceof Response) {
    // The SDK must not decide whether the socket stays open: the client may want it closed.
    const { connection: _, ...headers } = Object.fromEntries(answer.headers);
    outgoing.writeHead(answer.status, headers).flushHeaders();
    return stream(outgoing, answer.body);
  }
  const { status, headers, text } = answer;
  // HTTP forbids a content length with 204.
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(status, { ...headers, ...length }).end(text);
}

/**
 * A quick answer is sent unchanged. For a slow one, the head of an event stream is sent first, then a comment from
 * time to time. Otherwise a client might take a long query for a dead server.
 */
export async function sendInTime(
  outgoing: ServerResponse,
  answer: Promise<Answer>,
  { patienceMs = 250, keepAliveMs = 15_000 } = {},
): Promise<void> {
  const patience = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => patience.resolve(undefined), patienceMs);
  const soon = await Promise.race([answer, patience.promise]).finally(() => clearTimeout(timer));
  return soon ? send(outgoing, soon) : sendLate(outgoing, answer, keepAliveMs);
}

/** Runs `work` when the answer was sent or its reader disconnected. If either has happened already, runs `work` now. */
export function whenOver(outgoing: ServerResponse, work: () => void): void {
  if (outgoing.closed) work();
  else outgoing.once('close', work);
}

async function sendLate(
  outgoing: ServerResponse,
  answer: Promise<Answer>,
  keepAliveMs: number,
): Promise<void> {
  const comment = (text: string) => {
    if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(`: ${text}\n\n`);
  };
  outgoing.writeHead(200, streamHeaders);
  comment('running');
  const keepAlive = setInterval(() => comment('keepalive'), keepAliveMs).unref();
  try {
    const late = await answer;
    if (late instanceof Response) await stream(outgoing, late.body);
    else outgoing.end(late.text === '' ? '' : `event: message\ndata: ${late.text}\n\n`);
  } finally {
    clearInterval(keepAlive);
  }
}

async function stream(outgoing: ServerResponse, body: Response['body']): Promise<void> {
  if (!body) return void outgoing.end();
  try {
    await pipeline(body, outgoing);
  } catch (error) {
    // If the reader has disconnected, the error is ignored, because the disconnect also ended the call.
    if (!outgoing.destroyed) throw error;
  }
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

function isStream(response: Response): boolean {
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return isEvents && response.body !== null;
}
