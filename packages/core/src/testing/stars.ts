import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { CoreOptions } from '../core.ts';
import { newConnectionDraft } from '../index.ts';
import type { Core } from '../types.ts';
import { accessTo, client, root, temporaryFolder, testCore } from './test-core.ts';

export const sqlite = [join(root, 'dist', 'drivers', 'sqlite')];

/** A table of 1,000 stars. A client may change 100 rows in an hour, and add 100. */
export async function openStars(options: Partial<CoreOptions> = {}) {
  const { core, home } = await testCore({ bundledDrivers: sqlite, ...options });
  core.settings.update({ mcpReachPerHour: 1, mcpNewRowsPerHour: 100 });
  const file = join(temporaryFolder(), 'stars.db');
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE stars (id INTEGER PRIMARY KEY, name TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO stars SELECT i, 'a' FROM n`);
  db.close();
  const { id } = await core.connections.create({
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Stars',
    fields: { file },
    aiPolicy: 'alwaysAllow',
    externalClients: 'readWrite',
  });
  return { core, home, id, file };
}

export const remove = (core: Core, id: string, rows: number, caller = client()) =>
  core.data.runQuery(accessTo(id, caller), {
    text: `DELETE FROM stars WHERE id IN (SELECT id FROM stars LIMIT ${rows})`,
    limit: 1,
  });
export const left = (core: Core, id: string) =>
  core.data.count(accessTo(id), { table: 'stars', filters: [], match: 'all' });
export const reached = {
  code: 'not_approved',
  message: expect.stringContaining('rows in an hour is reached'),
};
