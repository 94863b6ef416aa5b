import type { Readable } from 'node:stream';
import { DriverError } from '@trestle/driver-kit';

/** A page of 1,000 rows with vectors of 3,072 numbers has 36 MB. */
const maxBodyBytes = 256 * 1024 * 1024;

/** Stops at the limit, since a server could send without end. */
export async function readBody(body: Readable, limit = maxBodyBytes): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) {
      body.destroy();
      throw new DriverError({
        code: 'query_failed',
        message: `The answer of the server is larger than ${limit / 1024 / 1024} MB`,
        hint: 'Ask for fewer rows, or leave out the vectors and the properties with large values.',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}
