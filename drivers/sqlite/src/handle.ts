import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Authorizer } from './authorizer.ts';
import { isLeftUnfinished, translateError } from './errors.ts';
import { matchesRegex } from './regex.ts';

export interface Handle {
  readonly db: DatabaseSync;
  readonly authorizer: Authorizer;
}

/** The largest value in bytes, so that one value cannot fill the memory. A larger stored value cannot be read. */
const longestValue = 128 * 1024 * 1024;

/** Opens an existing file. SQLite's mode `rw`, unlike `rwc`, does not create a missing file. */
export function openHandle(path: string, mode: 'ro' | 'rw'): Handle {
  try {
    return open(path, mode);
  } catch (error) {
    if (mode === 'rw' || !isLeftUnfinished(error)) throw error;
    // Opening for writing rolls back the unfinished transaction, or recovers the write-ahead log.
    open(path, 'rw').db.close();
    return open(path, mode);
  }
}

/** An empty database, in which SQLite reads a definition. */
export function openMemory(): Handle {
  return {
    db: new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true }),
    authorizer: new Authorizer(),
  };
}

function open(path: string, mode: 'ro' | 'rw'): Handle {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', mode);
  const authorizer = new Authorizer();
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(url, {
      readOnly: mode === 'ro',
      readBigInts: true,
      returnArrays: true,
      timeout: 1000,
      enableForeignKeyConstraints: true,
      allowExtension: false,
      limits: { length: longestValue },
      // Makes a mistyped name in `WHERE "id" = 5` an error instead of a text comparison.
      enableDoubleQuotedStringLiterals: false,
      // Statements cannot write directly to the schema table or to the shadow tables of virtual tables.
      defensive: true,
    });
    // A view or trigger in the file must not call functions that reach outside the file.
    db.exec('PRAGMA trusted_schema = OFF');
    db.function('regexp', { deterministic: true, directOnly: true, useBigIntArguments: true }, matchesRegex);
    db.function('shown_number', { deterministic: true, directOnly: true }, String);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    db.setAuthorizer(authorizer.authorize);
    return { db, authorizer };
  } catch (error) {
    db?.close();
    throw translateError(error, path);
  }
}
