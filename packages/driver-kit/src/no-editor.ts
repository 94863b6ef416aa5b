import { DriverError } from './errors.ts';
import type { Session } from './session.ts';

/** `classify`, `measure` and `run` for a driver without a query language. */
export const withoutEditor: Pick<Session, 'classify' | 'measure' | 'run'> = {
  classify: () => Promise.reject(noLanguage()),
  measure: () => Promise.reject(noLanguage()),
  run: () => Promise.reject(noLanguage()),
};

function noLanguage(): DriverError {
  return new DriverError({
    code: 'unsupported',
    message: 'This database has no query language',
    hint: 'Browse and filter its tables instead.',
  });
}
