import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Core } from '@trestle/core';

const driver = 'sqlite';

/** A key of `core.uiState`. It stays after the connection is deleted, so the sample does not come back. */
const rememberedAs = 'app.samplesMade';

interface Places {
  dist: string;
  dataDirectory: string;
}

/** At the first start, creates a sample database in the data directory, and its connection. */
export async function makeSqliteSampleOnce(core: Core, places: Places): Promise<void> {
  const isThere = core.connections.list().some((one) => one.sample && one.driver === driver);
  if (core.uiState.get(rememberedAs) || isThere) return;
  if (!existsSync(shippedFile(places))) return;
  const file = sampleFile(places);
  if (!existsSync(file)) resetSqliteSample(places);
  await core.connections.create(
    {
      name: 'Sample: SQLite',
      driver,
      fields: { file },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
      safeMode: 'off',
      color: null,
    },
    { sample: true },
  );
  core.uiState.set(rememberedAs, true);
}

/** False for another driver, and if the user changed the connection's file. */
export function isSqliteSample(connection: Connection, places: Places): boolean {
  return connection.driver === driver && connection.fields.file === sampleFile(places);
}

/** Restores the original file. The caller must have closed the session: an open session would keep the old file. */
export function resetSqliteSample(places: Places): void {
  const file = sampleFile(places);
  mkdirSync(join(places.dataDirectory, 'samples'), { recursive: true, mode: 0o700 });
  try {
    copyFileSync(shippedFile(places), `${file}.new`);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
  // SQLite would apply the journal of a killed driver to the new file. The journal is deleted after the copy: if the
  // copy fails, the old file stays and needs its journal.
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  renameSync(`${file}.new`, file);
}

function sampleFile({ dataDirectory }: Places): string {
  return join(dataDirectory, 'samples', 'trestle-sample.db');
}

function shippedFile({ dist }: Places): string {
  return join(dist, 'sample', 'trestle-sample.db');
}
