import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveControl } from './control/server.ts';
import { examineApp } from './examine-app.ts';

test('a running app that refuses the command is reported as a problem, not as stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-doctor-'));
  const server = await serveControl(folder, async () => null);
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  rmSync(join(folder, 'control-secret'));
  const look = async () => {
    throw new Error('not asked');
  };
  const checks = await examineApp({ dist: join(folder, 'dist'), dataDirectory: folder, look });
  expect(checks.filter(({ name }) => ['app', 'storage'].includes(name))).toEqual([
    {
      name: 'app',
      ok: false,
      detail:
        'gives no status: The running Trestle did not accept this command. Run the command as the user who started Trestle. If that is this user, end its process and start Trestle again.',
    },
  ]);
});
