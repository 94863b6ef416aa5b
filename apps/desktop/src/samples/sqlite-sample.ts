import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '@trestle/core';

const driver = 'sqlite';

/** Remembered apart from the connection: a sample the user deleted does not come back. */
const rememberedAs = 'app.samplesMade';

/** At the first start, puts a sample database and a connection to it in the data directory. */
export async function makeSqliteSampleOnce(
  core: Core,
  options: { dist: string; dataDirectory: string },
): Promise<void> {
  const isThere = core.connections.list().some((one) => one.sample && one.driver === driver);
  if (core.uiState.get(rememberedAs) || isThere) return;
  const source = join(options.dist, 'sample', 'trestle-sample.db');
  if (!existsSync(source)) return;
  const folder = join(options.dataDirectory, 'samples');
  const file = join(folder, 'trestle-sample.db');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    copyFileSync(source, `${file}.new`);
    renameSync(`${file}.new`, file);
  }
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
