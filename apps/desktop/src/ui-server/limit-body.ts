import type { MiddlewareHandler } from 'hono';

/**
 * Refuses a body of more than `megabytes`, also one without a stated length. Hono's own limit does not work here: it
 * calls `new Request(request)`, which throws for a request of `@hono/node-server`.
 */
export function limitBody(megabytes: number): MiddlewareHandler {
  const most = megabytes * 1024 * 1024;
  return async (context, next) => {
    const refuse = () => {
      const message = `The request is larger than ${megabytes} MB`;
      return context.json({ error: { code: 'invalid_argument', message } }, 413);
    };
    const { url, method, headers, signal, body } = context.req.raw;
    if (!body) return next();
    const declared = headers.get('content-length');
    if (declared !== null && !headers.has('transfer-encoding')) {
      return Number(declared) > most ? refuse() : next();
    }
    const bytes = await readUpTo(body, most);
    if (!bytes) return refuse();
    context.req.raw = new Request(url, { method, headers, signal, ...(bytes.length > 0 && { body: bytes }) });
    return next();
  };
}

/** Undefined if the body has more than `most` bytes. */
async function readUpTo(body: ReadableStream<Uint8Array>, most: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > most) return undefined;
    chunks.push(value);
  }
}
