import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type BadAnswer = (typeof badAnswers)[number];

export const badAnswers = [
  'cut',
  'stall',
  'drip',
  'tooLong',
  'tooShort',
  'half',
  'html',
  'error500',
  'page502',
  'wrongTypes',
] as const;

/** Answers the client with the fault `fate`, or with the server's own answer if `fate` is `pass`. */
export function answerWith(
  fate: BadAnswer | 'pass',
  parts: { answer: IncomingMessage; body: Buffer; outgoing: ServerResponse; reset: () => void },
): void {
  const { answer, outgoing, reset } = parts;
  const replaced = replacements[fate];
  const { status, body } = replaced ?? { status: answer.statusCode ?? 500, body: parts.body };
  const { 'transfer-encoding': _, ...rest } = answer.headers;
  const half = body.subarray(0, body.length / 2);
  const hasBody = status !== 204 && status !== 304;
  const lengths: Partial<Record<string, number>> = {
    tooLong: body.length + 100,
    tooShort: half.length,
    half: half.length,
  };
  outgoing.strictContentLength = false;
  outgoing.writeHead(status, {
    ...rest,
    ...(replaced && { 'content-type': replaced.type }),
    ...(hasBody && { 'content-length': lengths[fate] ?? body.length }),
  });
  if (fate === 'cut') outgoing.write(half, reset);
  else if (fate === 'stall') outgoing.write(half);
  else if (fate === 'drip') drip(body, outgoing);
  else if (fate === 'half') outgoing.end(half);
  else if (fate === 'tooLong') outgoing.write(body, () => outgoing.socket?.end());
  else outgoing.end(body);
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Answers of a proxy or of a broken server. */
const replacements: Partial<Record<string, { status: number; type: string; body: Buffer }>> = {
  html: {
    status: 200,
    type: 'text/html',
    body: Buffer.from('<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>'),
  },
  page502: {
    status: 502,
    type: 'text/html',
    body: Buffer.from('<html><h1>502 Bad Gateway</h1></html>'),
  },
  error500: {
    status: 500,
    type: 'application/json',
    body: json({ error: [{ message: 'runtime error: index out of range' }] }),
  },
  wrongTypes: {
    status: 200,
    type: 'application/json',
    body: json({ classes: 'none', objects: { '0': 7 }, data: { Get: 5, Aggregate: 'many' }, id: 12 }),
  },
};

/** Sends the answer in at most ten pieces, with a pause after each. */
async function drip(body: Buffer, outgoing: ServerResponse): Promise<void> {
  const size = Math.max(1, Math.ceil(body.length / 10));
  for (let at = 0; at < body.length; at += size) {
    outgoing.write(body.subarray(at, at + size));
    await delay(20);
  }
  outgoing.end();
}
