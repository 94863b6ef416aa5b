import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Asked, call, openFixed } from './testing/fixed-server.ts';

const schema = () => ({ classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }] });
const tooLarge = 'The answer of the server is larger than 256 MB';

/** More bytes than the driver accepts. */
function flood(): Readable {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  return Readable.from(Array.from({ length: 260 }, () => chunk));
}

async function failed(text: string) {
  const { session } = await openFixed(schema, flood);
  const running = session.run({ text, ceiling: 'destroy', limit: 10 }, call);
  return running.catch((error: { message: string; hint?: string }) => [error.message, error.hint]);
}

test('after a write with an answer that is too large, the advice is to check the data before sending the write again', async () => {
  const advice = [
    `${tooLarge}; the server may still have carried out the request`,
    'Check the data before you send the request again.',
  ];
  expect(await failed('POST /objects {"class":"Place","properties":{"name":"x"}}')).toEqual(advice);
  expect(await failed('DELETE /schema/Place')).toEqual(advice);
});

test('after a read with an answer that is too large, the advice is to ask for less', async () => {
  expect(await failed('GET /objects')).toEqual([
    tooLarge,
    'Ask for fewer rows, or leave out the vectors and the properties with large values.',
  ]);
});

test('a row whose answer is too large is looked up, and counts as stored if the lookup finds it', async () => {
  const stored = new Map<string, unknown>();
  const { session } = await openFixed(schema, ({ method, url, body }: Asked) => {
    if (method === 'POST' && url === '/v1/objects') {
      const object = JSON.parse(body) as { id: string };
      stored.set(object.id, object);
      return flood();
    }
    const id = /\/v1\/objects\/Place\/([0-9a-f-]+)/.exec(url)?.[1] ?? '';
    return stored.get(id) ?? { data: {} };
  });
  const changes = [{ kind: 'insert' as const, id: '0', values: { name: 'x' } }];
  const request = { table: 'Place', changes, rowTimeoutMs: 30_000 };
  const reports = await Array.fromAsync(session.applyChanges!(request, call));
  expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([{ id: '0', status: 'applied' }]);
  expect(stored.size).toBe(1);
});
