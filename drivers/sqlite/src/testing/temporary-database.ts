import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DriverLogEntry, Session } from '@trestle/driver-kit';
import { noNetwork } from '@trestle/driver-kit/testing';
import { onTestFinished } from 'vitest';
import { driver } from '../driver.ts';

export const call = { signal: new AbortController().signal };

export interface TemporaryDatabase {
  folder: string;
  file: string;
  session: Session;
  log: DriverLogEntry[];
  /** `query` and `exec` use the file directly, not through the driver. */
  query(text: string): unknown[][];
  exec(text: string): void;
}

/** A database in its own folder, open in the driver, deleted after the test. */
export async function temporaryDatabase(schema: string, name = 'test.db'): Promise<TemporaryDatabase> {
  const folder = temporaryFolder();
  const file = join(folder, name);
  direct(file, (db) => db.exec(`PRAGMA synchronous = OFF; ${schema}`));
  const log: DriverLogEntry[] = [];
  const session = await connect(file, log);
  onTestFinished(() => session.close());
  return {
    folder,
    file,
    session,
    log,
    query: (text) => direct(file, (db) => db.prepare(text).all() as unknown as unknown[][]),
    exec: (text) => direct(file, (db) => db.exec(text)),
  };
}

export function connect(file: string, log: DriverLogEntry[] = []): Promise<Session> {
  return driver.connect({ fields: { file }, log: (entry) => log.push(entry), dial: noNetwork }, call);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function direct<T>(file: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readBigInts: true, returnArrays: true, defensive: false });
  try {
    return use(db);
  } finally {
    db.close();
  }
}
