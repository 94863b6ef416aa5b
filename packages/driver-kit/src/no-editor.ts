import { DriverError } from './errors.ts';
import type { Session } from './session.ts';

/** `classify` and `run` for a driver whose manifest says that it has no query language. */
export const withoutEditor: Pick<Session, 'classify' | 'run'> = {
  classify: () => Promise.reject(noLanguage()),
  run: () => Promise.reject(noLanguage()),
};

function noLanguage(): DriverError {
  return new DriverError({
    code: 'unsupported',
    message: 'This database has no query language',
    hint: 'Browse and filter its tables instead.',
  });
}
