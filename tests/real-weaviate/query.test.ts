import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dial, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atTerminal, hasTerminal } from '../app/terminal.ts';
import { startApp, type TestApp } from '../e2e/app.ts';
import { describeOnWeaviate, rest } from './servers.ts';

const passphrase = 'correct horse';
const asked: [string, string] = ['Administrator passphrase: ', passphrase];
const sure: [string, string] = ['Type yes to run it: ', 'yes'];

/**
 * Passes bytes on, but keeps a GraphQL request to itself. `reached` resolves when the request comes, `left` when its
 * client hangs up.
 */
async function startHoldingRelay(port: number) {
  const reached = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server: Server = createServer((client) => {
    const upstream = dial(port, '127.0.0.1');
    let isHeld = false;
    client.on('data', (bytes) => {
      if (isHeld) return;
      isHeld = bytes.includes('/v1/graphql') || bytes.includes('Weaviate/Search');
      if (!isHeld) return upstream.write(bytes);
      client.once('close', () => left.resolve());
      reached.resolve();
    });
    upstream.on('data', (bytes) => client.write(bytes));
    for (const one of [client, upstream]) {
      one.on('error', () => {});
      one.once('close', () => [client, upstream].forEach((each) => void each.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  return { server, port: ownPort, reached: reached.promise, left: left.promise };
}

describeOnWeaviate('trestle query', ({ port }) => {
  let app: TestApp;
  let relay: Awaited<ReturnType<typeof startHoldingRelay>>;

  beforeAll(async () => {
    relay = await startHoldingRelay(port);
    app = await startApp();
    const file = join(app.folder, 'cluster.json');
    const connection = (name: string, to: number, levels: object) => ({
      name,
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port: to, authMethod: 'none', sslMode: 'disabled' },
      ...levels,
    });
    const open = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
    const connections = [
      connection('Open', port, open),
      connection('Asks', port, {}),
      connection('Held', relay.port, open),
    ];
    writeFileSync(file, JSON.stringify({ connections }));
    const { code, stderr } = await app.run('connections', 'import', file);
    if (code !== 0) throw new Error(stderr);
    if (!hasTerminal) return;
    await atTerminal(
      app.folder,
      ['passphrase', 'set'],
      [
        ['New passphrase: ', passphrase],
        ['Repeat it: ', passphrase],
      ],
    );
  });
  afterAll(async () => {
    await app?.close();
    relay?.server.close();
  });

  async function freshTable(): Promise<string> {
    const table = `Query${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: [
        { name: 'ordinal', dataType: ['int'] },
        { name: 'words', dataType: ['text'] },
      ],
    });
    for (const ordinal of [1, 2, 3]) {
      const properties = { ordinal, words: `\u001b]0;owned ${ordinal}\u0007` };
      await rest(port, 'POST', '/objects', { class: table, properties, vector: [ordinal, 0.5] });
    }
    return table;
  }

  const exists = async (table: string) =>
    ((await rest(port, 'GET', '/schema')) as { classes: { class: string }[] }).classes.some(
      (one) => one.class === table,
    );

  test('a program runs GraphQL and request lines that a client may run', async () => {
    const table = await freshTable();
    const rows = await app.run('query', 'Open', `{ Get { ${table}(limit: 1) { ordinal words } } }`);
    expect(rows).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/\n\d +�\]0;owned \d�\n/),
    });
    const vectors = await app.json('query', 'Open', `{ Get { ${table} { _additional { id vector } } } }`);
    expect(vectors.results[0].rows.map((row: unknown[]) => row.at(-1))).toContainEqual([2, 0.5]);
    const line = await app.json('query', 'Open', `GET /v1/schema/${table}`);
    expect(line.results[0].document).toMatchObject({ class: table });
    const stored = await app.json(
      'query',
      'Open',
      `POST /v1/objects {"class": "${table}", "properties": {"ordinal": 4}, "vector": [4, 0.5]}`,
    );
    expect(stored).toMatchObject({ effect: 'write' });
    const failed = await app.run('query', 'Open', `{ Get { ${table} { nothing } } }`);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('nothing')]);
  });

  test.each([
    'DELETE /v1/schema/{table}',
    'DELETE /v1/batch/objects {"match": {"class": "{table}", "where": {"path": ["ordinal"], "operator": "GreaterThan", "valueInt": 0}}}',
  ])('without the passphrase, %s is refused, whatever the levels', async (text) => {
    const table = await freshTable();
    for (const connection of ['Open', 'Asks']) {
      const refused = await app.run('query', connection, text.replace('{table}', table));
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain('needs the administrator passphrase');
    }
    const { objects } = (await rest(port, 'GET', `/objects?class=${table}`)) as { objects: unknown[] };
    expect(objects).toHaveLength(3);
  });

  describe.skipIf(!hasTerminal)('at a terminal', () => {
    test('a collection is dropped after the passphrase and a yes, and stays after a no', async () => {
      const table = await freshTable();
      const drop = ['query', 'Asks', `DELETE /v1/schema/${table}`];
      const kept = await atTerminal(app.folder, drop, [asked, ['Type yes to run it: ', 'no']]);
      expect([kept.code, await exists(table)]).toEqual([1, true]);
      expect(kept.output).toContain(`Changed or deleted: 3 rows of ${table}.`);

      const another = { class: table, properties: { ordinal: 9 }, vector: [9, 9] };
      let stored: Promise<unknown> = Promise.resolve();
      const more = () => {
        stored = rest(port, 'POST', '/objects', another);
      };
      const dropped = await atTerminal(app.folder, drop, [
        asked,
        ['Changed or deleted: 3 rows', more],
        // The yes must come after the row. Otherwise nothing has changed yet.
        [sure[0], () => stored.then(() => 'yes')],
        ['The data or the schema has changed. Nothing was run.', () => {}],
        ['Changed or deleted: 4 rows', () => {}],
        // Another test file may change the schema of the server meanwhile. Then the question comes again.
        ...Array.from({ length: 20 }, () => sure),
      ]);
      expect([dropped.code, await exists(table)]).toEqual([0, false]);
    });

    test('Ctrl-C ends the request to the server', async () => {
      const table = await freshTable();
      const { code, output } = await atTerminal(
        app.folder,
        ['query', 'Held', `{ Get { ${table} { ordinal } } }`],
        // The statement runs from the start of the connection, which may take longer than the prompt.
        [['Ctrl-C cancels the statement.', () => relay.reached.then(() => '\u0003')]],
      );
      expect([code, output]).toEqual([130, expect.stringContaining('Cancelled.')]);
      await relay.left;
    });
  });
});
