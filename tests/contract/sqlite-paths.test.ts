import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDriverLink } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../drivers/sqlite/manifest.json' with { type: 'json' };

const dist = join(import.meta.dirname, '../../dist');
const call = { signal: new AbortController().signal };

/** Some characters have a meaning in Node's permission flags. */
test.each(['*', '?', '[a]', '{a,b}', ',', '!', ' ', '%2A', '=', '--x', "'", '"', '#', 'é'])(
  'a file with "%s" in its name and its folder is opened, and the next call notices that the file was replaced',
  async (characters) => {
    const top = mkdtempSync(join(tmpdir(), 'trestle-paths-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const folder = join(top, `a${characters}`);
    mkdirSync(folder);
    const file = join(folder, `b${characters}.db`);
    create(file, 'old');
    create(join(top, 'new.db'), 'new');
    const link = await openDriverLink(
      {
        hostEntry: join(dist, 'driver-host.js'),
        driverDirectory: join(dist, 'drivers/sqlite'),
        manifest: manifest as Manifest,
        bundled: true,
        fields: { file },
        log: () => {},
      },
      { ...call, timeoutMs: 20_000 },
    );
    onTestFinished(() => link.close());
    const tables = async () => (await link.session.listTables(call)).map(({ name }) => name);
    expect(await tables()).toEqual(['old']);
    renameSync(join(top, 'new.db'), file);
    expect(await tables()).toEqual(['new']);
    rmSync(file);
    await expect(tables()).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining(file),
    });
  },
);

function create(file: string, table: string): void {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE ${table} (n INTEGER)`);
  database.close();
}
