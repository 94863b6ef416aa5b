import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isLeftUnfinished, translateError } from './errors.ts';
import { Guard } from './guard.ts';
import { matchesRegex } from './regex.ts';

export interface Handle {
  readonly db: DatabaseSync;
  readonly guard: Guard;
}

/** A statement must not fill the memory by one value. Stored rows that are larger cannot be read. */
const longestValue = 128 * 1024 * 1024;

/** Opens an existing file; `rw` without `c` is what keeps SQLite from creating a missing one. */
export function openHandle(path: string, mode: 'ro' | 'rw'): Handle {
  try {
    return open(path, mode);
  } catch (error) {
    if (mode === 'rw' || !isLeftUnfinished(error)) throw error;
    // Opening it for writing rolls the unfinished transaction back.
    open(path, 'rw').db.close();
    return open(path, mode);
  }
}

function open(path: string, mode: 'ro' | 'rw'): Handle {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', mode);
  const guard = new Guard();
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
      // Also turns `WHERE "id" = 5` with a mistyped name into an error instead of a comparison of texts.
      enableDoubleQuotedStringLiterals: false,
      // Shadow tables of virtual tables cannot be written, and the schema table cannot be edited.
      defensive: true,
    });
    // A view or trigger in the file must not call functions that reach further than the file.
    db.exec('PRAGMA trusted_schema = OFF');
    db.function('regexp', { deterministic: true, directOnly: true, useBigIntArguments: true }, matchesRegex);
    db.function('shown_number', { deterministic: true, directOnly: true }, String);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    db.setAuthorizer(guard.authorize);
    return { db, guard };
  } catch (error) {
    db?.close();
    throw translateError(error, path);
  }
}
