import { type Driver, DriverError } from '@trestle/driver-kit';
import { DatabaseFile } from './database-file.ts';
import { throwIfAborted } from './errors.ts';
import { SqliteSession } from './session.ts';

export const driver: Driver = {
  async connect({ fields, log }, { signal }) {
    throwIfAborted(signal);
    const path = fields.file;
    if (typeof path !== 'string' || path.trim() === '') {
      throw new DriverError({
        code: 'connection_failed',
        message: 'Connection failed: no database file is given',
        hint: 'Choose a SQLite database file.',
      });
    }
    return new SqliteSession(new DatabaseFile(path), log);
  },
};
