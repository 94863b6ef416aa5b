import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf, listenForNode } from './node-listener.ts';

const headers = { authorization: 'Bearer outer' };

/** A node that tells what reached it; `start` may be replaced to fail. */
async function listener(options: { port?: number; failures?: number } = {}) {
  let [starts, stops, failures] = [0, 0, options.failures ?? 0];
  const failed: unknown[] = [];
  const listening = await listenForNode({
    port: options.port ?? 0,
    keyDigest: digestOf('outer'),
    onFailure: (error) => failed.push(error),
    async start(innerKey) {
      starts++;
      if (failures-- > 0) throw new Error('no word vectors');
      const node = createServer((request, response) => {
        if (request.url === '/hang') return;
        const isIn = request.headers.authorization === `Bearer ${innerKey}`;
        request.setEncoding('utf8');
        let body = '';
        request.on('data', (text) => (body += text));
        request.on('end', () => {
          response.writeHead(isIn ? 200 : 401, { 'x-node': 'yes' });
          response.end(`${request.method} ${request.url} ${body}`);
        });
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => node.once('listening', resolve));
      const { port } = node.address() as { port: number };
      const stop = async () => {
        stops++;
        node.closeAllConnections();
        node.close();
      };
      return { url: '', port, reset() {}, stop };
    },
  });
  onTestFinished(() => listening.close());
  const ask = (path: string, init: RequestInit = { headers }) =>
    fetch(`http://127.0.0.1:${listening.port}${path}`, init);
  return { ...listening, ask, failed, counts: () => ({ starts, stops }) };
}

test('nothing is started before the first request, and once for many', async () => {
  const { ask, counts, close } = await listener();
  expect(counts()).toEqual({ starts: 0, stops: 0 });
  const answers = await Promise.all(['/v1/a?b=%20c', '/v1/b', '/v1/c'].map((path) => ask(path)));
  expect(await answers[0]!.text()).toBe('GET /v1/a?b=%20c ');
  expect(answers[0]!.headers.get('x-node')).toBe('yes');
  const body = 'é'.repeat(200_000);
  const posted = await ask('/v1/graphql', { method: 'POST', headers, body });
  expect(await posted.text()).toBe(`POST /v1/graphql ${body}`);
  expect(counts()).toEqual({ starts: 1, stops: 0 });
  await close();
  expect(counts()).toEqual({ starts: 1, stops: 1 });
});

test('only the right key gets in', async () => {
  const { ask } = await listener();
  const keys = [
    undefined,
    'outer',
    'Bearer',
    'Bearer wrong',
    'Bearer outer ',
    'Bearer outer2',
    'bearer outer',
  ];
  const statuses = await Promise.all(
    keys.map(async (authorization) => {
      const answer = await ask('/', { headers: authorization === undefined ? {} : { authorization } });
      return [authorization, answer.status];
    }),
  );
  // fetch itself drops the space at the end.
  const good = ['Bearer outer ', 'bearer outer'];
  expect(statuses).toEqual(keys.map((key) => [key, good.includes(key ?? '') ? 200 : 401]));
});

test('a node that does not start is told of, and tried again by the next request', async () => {
  const { ask, failed } = await listener({ failures: 1 });
  const refused = await ask('/');
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: [{ message: 'The sample node could not answer: no word vectors' }] },
  ]);
  expect(failed).toHaveLength(1);
  expect((await ask('/')).status).toBe(200);
});

test('a port that is taken is not waited for', async () => {
  const first = await listener();
  const second = await listener({ port: first.port });
  expect(second.port).not.toBe(first.port);
  expect((await second.ask('/')).status).toBe(200);
});

test('closing ends requests that are under way', async () => {
  const { ask, close } = await listener();
  await ask('/');
  const hanging = ask('/hang').then(
    () => 'answered',
    () => 'ended',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  await close();
  expect(await hanging).toBe('ended');
});
