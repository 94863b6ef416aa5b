import { expect, test } from 'vitest';
import { call, openFixed, Refusal } from './testing/fixed-server.ts';

const schema = () => ({ classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }] });
const insert = 'POST /objects {"class":"Place","properties":{"name":"x"}}';

async function failed(text: string, answer: Refusal) {
  const { session } = await openFixed(schema, () => answer);
  const running = session.run({ text, ceiling: 'destroy', limit: 10 }, call);
  return running.catch((error: { message: string; hint?: string }) => [error.message, error.hint]);
}

const look = 'Check the data before you send the request again.';

test('if the server may have done a write, the advice is to check the data before sending the write again', async () => {
  expect(await failed(insert, new Refusal(504, ''))).toEqual([
    'The server failed: HTTP 504; the server may still have carried out the request',
    look,
  ]);
  const replicas = { error: [{ message: 'broadcast: cannot reach enough replicas' }] };
  expect(await failed('DELETE /schema/Place', new Refusal(500, replicas))).toEqual([
    'broadcast: cannot reach enough replicas (HTTP 500); the server may still have carried out the request',
    look,
  ]);
});

test('the advice to check the data is not given for a failed read or a refused write', async () => {
  expect(await failed('GET /objects', new Refusal(504, ''))).toEqual([
    'The server failed: HTTP 504',
    'The server, or a proxy in front of it, is not ready. Try again in a moment.',
  ]);
  const refused = { error: [{ message: 'invalid object' }] };
  expect(await failed(insert, new Refusal(422, refused))).toEqual(['invalid object (HTTP 422)', undefined]);
});
