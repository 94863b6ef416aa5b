import type { Driver } from '@trestle/driver-kit';
import { DatabaseFile } from './database-file.ts';
import { connectionFailed, lockedFile, throwIfAborted, translateError } from './errors.ts';
import { SqliteSession } from './session.ts';

export const driver: Driver = {
  async connect({ fields, log }, { signal }) {
    throwIfAborted(signal);
    const path = fields.file;
    if (typeof path !== 'string' || path.trim() === '') {
      throw connectionFailed('no database file is given', 'Choose a SQLite database file.');
    }
    try {
      return new SqliteSession(new DatabaseFile(path), log);
    } catch (error) {
      const { code, message, hint } = translateError(error);
      if (code === 'connection_failed') throw error;
      if (code === 'locked') throw lockedFile(`Connection failed: ${message}`, error);
      throw connectionFailed(message, hint ?? 'Check that the file may be read.', error);
    }
  },
};
