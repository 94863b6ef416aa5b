import { AppError } from '../errors.ts';

export function newerFile(path: string): AppError {
  return new AppError({
    code: 'storage_failed',
    message: `${path} was written by a newer version of Trestle.`,
    hint: 'Update Trestle, or set TRESTLE_HOME to another directory.',
  });
}

/** Why a write failed, as the end of a sentence. */
export function whyUnwritable(error: unknown): string {
  return writeProblems[resultCode(error) ?? 0] ?? (error instanceof Error ? error.message : String(error));
}

// SQLite's result codes: https://sqlite.org/rescode.html
const failed = 1;
const readOnly = 8;
const corrupt = 11;
const full = 13;
const tooBig = 18;
const constraint = 19;
const mismatch = 20;
const notADatabase = 26;
/** An extended code. */
const shortRead = 522;

const writeProblems: Record<number, string> = {
  [full]: 'the disk is full',
  [readOnly]: 'the file or its disk is read-only',
};

/** Whether the content of the file is wrong. A lock of another process, or a full disk, gives other codes. */
export function isDamaged(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const code = resultCode(error);
  // A file that was cut in the middle of a page.
  const isShort = 'errcode' in cause && cause.errcode === shortRead;
  // `large-numbers.ts` says why a number that is too large means damage.
  const isTooLarge = 'code' in cause && cause.code === 'ERR_OUT_OF_RANGE';
  return code === corrupt || code === notADatabase || isShort || isTooLarge;
}

/** Whether the file is damaged, a value is too long, or SQLite refused the SQL, as for a missing table or column. */
export function isUnreadable(error: unknown): boolean {
  return isDamaged(error) || [failed, tooBig].includes(resultCode(error) ?? 0);
}

/** Whether the table refuses the values of one row. */
export function isConstraint(error: unknown): boolean {
  return [constraint, mismatch].includes(resultCode(error) ?? 0);
}

/** SQLite's result code without the extended part. */
function resultCode(error: unknown): number | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
}

/** An error for damage that SQLite does not report as an error. */
export function damagedFile(path: string, finding: string): AppError {
  return storageError(path, Object.assign(new Error(finding), { errcode: corrupt }));
}

export function storageError(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = resultCode(error);
  if (isDamaged(error)) {
    return new AppError(
      {
        code: 'storage_failed',
        message: `${path} is damaged and cannot be read.`,
        hint: 'Start Trestle again: it sets the file aside and begins a new one. Or restore it from a backup.',
      },
      { cause: error },
    );
  }
  const problem = writeProblems[code ?? 0];
  return new AppError(
    problem === undefined
      ? { code: 'storage_failed', message: `${path} could not be used: ${whyUnwritable(error)}` }
      : {
          code: 'storage_failed',
          message: `${path} cannot be written: ${problem}.`,
          hint: 'Make room on its disk, or make it writable, and try again.',
        },
    { cause: error },
  );
}
