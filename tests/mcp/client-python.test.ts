import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonWithSdk } from './python/environment.ts';
import { bridgeFile, endless, type RunningServer, runServer, toolNames } from './running-server.ts';

const python = pythonWithSdk();
const run = promisify(execFile);

const ways = [
  { way: 'http', mode: 'auto', version: '2026-07-28' },
  { way: 'http', mode: '2026-07-28', version: '2026-07-28' },
  { way: 'http', mode: 'legacy', version: '2025-11-25' },
  { way: 'stdio', mode: 'auto', version: '2026-07-28' },
  { way: 'stdio', mode: 'legacy', version: '2025-11-25' },
];

describe.skipIf(!python)(
  python ? 'the official Python client' : 'the official Python client (no Python with its SDK here)',
  () => {
    let running: RunningServer;
    beforeAll(async () => {
      running = await runServer({ progressMs: 50 });
    });
    afterAll(() => running.close());

    test.each(ways)('works over $way in mode $mode', async ({ way, mode, version }) => {
      const { open, blocked } = running.connections;
      const isLast = way === 'http' && mode === 'legacy';
      const given = {
        way,
        mode,
        url: `http://127.0.0.1:${running.server.port}/mcp`,
        token: running.token,
        command: process.execPath,
        args: [bridgeFile],
        env: { TRESTLE_HOME: running.home },
        endless,
        open: open.id,
        blocked: blocked.id,
        table: `made_${way}_${mode.replaceAll('-', '')}`,
        lockOut: isLast,
      };
      const program = join(import.meta.dirname, 'python', 'session.py');
      const { stdout } = await run(python ?? '', [program, JSON.stringify(given)]);
      const report = JSON.parse(stdout) as Record<string, unknown>;
      expect(report).toMatchObject({
        version,
        // A client that is pinned to a version does not read the instructions.
        instructions: mode === '2026-07-28' ? null : expect.stringContaining('list_connections'),
        tools: toolNames,
        connections: ['Open', 'Read only', 'Asks'],
        columns: expect.arrayContaining(['name', 'moons']),
        rows: [['Earth'], ['Mars']],
        resource: expect.stringContaining('\nOpen\t'),
        prompt: expect.stringContaining('moons'),
        progress: 'Waiting for the database',
        afterCancel: false,
        blocked: { code: -33007, text: expect.stringContaining('External Clients is Blocked') },
        readOnly: {
          is_error: true,
          text: expect.stringMatching(/^denied: Connection is read only for external clients/),
        },
        asks: { is_error: true, text: expect.stringMatching(/^denied: AI Policy is Ask Each Time/) },
        wrong: { is_error: true, text: expect.stringMatching(/^query_failed: /) },
        ...(version === '2026-07-28' && { event: expect.stringContaining(`${open.id}/tables`) }),
        ...(way === 'http' && { unauthenticated: expect.stringMatching(/401|-33009|nauthenticated/) }),
        ...(isLast && { lockedOut: expect.stringMatching(/429|-33010|ate limited/) }),
      });
    });
  },
);
