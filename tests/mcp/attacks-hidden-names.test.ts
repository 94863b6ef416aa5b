import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Connection } from '@trestle/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCall } from './every-call.ts';
import { rawClient } from './raw-client.ts';
import { bridgeFile, type RunningServer, runServer } from './running-server.ts';

let running: RunningServer;
let hidden: Record<string, Connection>;
const clients: Record<string, Client> = {};

beforeAll(async () => {
  running = await runServer();
  const { file } = running.connections.open.fields as { file: string };
  const connect = (name: string, changes: object) => running.connectSqlite(name, file, changes);
  hidden = {
    blocked: await connect('Production', { externalClients: 'blocked' }),
    never: await connect('Payroll', { aiPolicy: 'never' }),
    // Not in the allowlist of the token below.
    outside: await connect('Archive', {}),
  };
  // A name that is near each of the hidden names, so that a suggestion would be this one.
  const near = await Promise.all(['Production 2', 'Payroll2', 'Archives'].map((name) => connect(name, {})));
  const allowlist = [
    ...near.map(({ id }) => id),
    hidden.blocked!.id,
    hidden.never!.id,
    running.connections.open.id,
  ];
  const { secret } = running.createToken({ allowlist });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  const address = new URL(`http://127.0.0.1:${running.server.port}/mcp`);
  const env = { TRESTLE_HOME: running.home, PATH: process.env.PATH ?? '' };
  const transports = {
    HTTP: new StreamableHTTPClientTransport(address, { requestInit }),
    bridge: new StdioClientTransport({
      command: process.execPath,
      args: [bridgeFile],
      env,
      stderr: 'ignore',
    }),
  };
  for (const [way, transport] of Object.entries(transports)) {
    clients[way] = new Client({ name: 'official', version: '1' });
    await clients[way].connect(transport);
  }
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await running?.close();
});

const remedies: Record<string, RegExp> = {
  blocked: /Forbidden: External Clients is Blocked on this connection\. Change External Clients/,
  never: /Forbidden: the connection's AI Policy is Never\. Change AI Policy/,
  outside: /Forbidden: the token's allowlist does not include this connection\. Use a token/,
};

/** Calls of the bridge's token that are refused before the connection is looked up, with the same code. */
const ofBridge = /the stdio bridge runs nothing destructive/;

const cases = [
  ['HTTP', 'blocked'],
  ['HTTP', 'never'],
  ['HTTP', 'outside'],
  ['bridge', 'blocked'],
  ['bridge', 'never'],
] as const;

describe.each(cases)('over %s, a connection that is hidden (%s)', (way, why) => {
  const deniedRows = () =>
    running.core.activity
      .list({ limit: 1_000 })
      .filter(({ connectionId, outcome }) => connectionId === hidden[why]!.id && outcome === 'denied').length;

  test.each(['name', 'id'] as const)(
    'answers each call that gives its exact %s with -33007 and the remedy, and the log has the refusal',
    async (given) => {
      for (const { what, kind, send } of everyCall({ connection: hidden[why]![given], table: 'planets' })) {
        const before = deniedRows();
        const { texts, code } = await send(clients[way]!);
        if (kind === 'completion') expect([what, texts]).toEqual([what, []]);
        else {
          expect([what, code]).toEqual([what, -33007]);
          const isOfBridge = way === 'bridge' && ofBridge.test(texts[0]!);
          expect([what, texts[0]]).toEqual([
            what,
            expect.stringMatching(isOfBridge ? ofBridge : remedies[why]!),
          ]);
          expect([what, texts.join()]).toEqual([
            what,
            expect.not.stringMatching(/Did you mean|Production 2|2"|Archives/),
          ]);
          if (isOfBridge) continue;
        }
        await expect.poll(() => [what, deniedRows() > before]).toEqual([what, true]);
      }
    },
  );

  test('is refused too if its name is written in another case, with spaces or with invisible characters', async () => {
    const { name } = hidden[why]!;
    const variants = [
      name.toUpperCase(),
      name.toLowerCase(),
      ` ${name} `,
      `${name}\n`,
      `${name.slice(0, 3)}\u200b${name.slice(3)}`,
      `\ufeff${name}`,
      name.replace(/^./, (first) => String.fromCodePoint(first.codePointAt(0)! + 0xfee0)),
    ];
    for (const connection of variants) {
      const [call] = everyCall({ connection, table: 'planets' });
      const { code, texts } = await call!.send(clients[way]!);
      expect([connection, code, texts[0]]).toEqual([
        connection,
        -33007,
        expect.stringMatching(remedies[why]!),
      ]);
    }
  });

  test('is in no list, and a name that only resembles it gets the answer of any unknown name', async () => {
    const client = clients[way]!;
    const lists = [
      await client.callTool({ name: 'list_connections', arguments: {} }),
      await client.listResources(),
      await client.readResource({ uri: 'trestle://connections' }),
      await client.complete({
        ref: { type: 'ref/prompt', name: 'explain_schema' },
        argument: { name: 'connection_id', value: '' },
      }),
    ];
    for (const list of lists) {
      expect(JSON.stringify(list)).not.toContain(hidden[why]!.id);
      expect(JSON.stringify(list)).not.toMatch(new RegExp(`\\b${hidden[why]!.name}\\b(?! 2)`));
    }
    const answer = async (connection: string) => {
      const [call] = everyCall({ connection, table: 'planets' });
      const { texts } = await call!.send(client);
      return texts[0]?.replace(/\d{12}/g, '');
    };
    const misspelled = `${hidden[why]!.name.slice(0, -2)}xq`;
    expect(await answer(misspelled)).not.toContain(`"${hidden[why]!.name}"`);
    expect(await answer('zzzzzzzzzzzzzzzzzzzz')).toBe(
      'not_found: There is no connection with this name or id. Call list_connections for the existing ones.',
    );
  });
});

test('if a hidden and a visible connection share a name, the visible one answers', async () => {
  const { file } = running.connections.open.fields as { file: string };
  const [first, second] = await Promise.all(
    ['Twin one', 'Twin two'].map((name) => running.connectSqlite(name, file)),
  );
  const { secret } = running.createToken({ allowlist: [second!.id] });
  // Two samples may have the same name. The tests' core cannot make one, so the row is renamed.
  running.core.connections.list = new Proxy(running.core.connections.list, {
    apply: (list, self) =>
      (Reflect.apply(list, self, []) as Connection[]).map((one) =>
        one.id === first!.id ? { ...one, name: 'Twin two' } : one,
      ),
  });
  const { text, isError } = await rawClient(running, secret).call('list_tables', {
    connection_id: 'Twin two',
  });
  expect([isError, text]).toEqual([false, expect.stringContaining('planets')]);
});

test('a misspelled visible name is suggested, also if it resembles a hidden one', async () => {
  const client = rawClient(running);
  const { text } = await client.call('list_tables', { connection_id: 'Open2' });
  expect(text).toMatch(
    /^not_found: There is no connection with this name or id\. Call list_connections for the existing ones\. \[data \d+\] Did you mean "Open"\? \[end \d+\]$/,
  );
});
