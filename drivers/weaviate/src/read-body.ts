import type { Readable } from 'node:stream';
import { DriverError, type Effect } from '@trestle/driver-kit';

/** The limit for one answer. For comparison: a page of 1,000 rows with vectors of 3,072 numbers has about 36 MB. */
const maxBodyBytes = 256 * 1024 * 1024;

/** Throws at the limit, because a server could send data without end. `effect`: the effect of the request. */
export async function readBody(body: Readable, effect: Effect): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) {
      body.destroy();
      throw bodyTooLarge(effect);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyTooLarge(effect: Effect): DriverError {
  const message = `The answer of the server is larger than ${maxBodyBytes / 1024 / 1024} MB`;
  if (effect === 'read') {
    return new DriverError({
      code: 'query_failed',
      message,
      hint: 'Ask for fewer rows, or leave out the vectors and the properties with large values.',
    });
  }
  // The server may have done the write. With this code the answer counts as lost. Other codes may mean that nothing was
  // done.
  return new DriverError({
    code: 'connection_failed',
    message,
    hint: 'Check the data before you send the request again.',
  });
}
