/** Why the disk could not store a file, as the end of a sentence. Undefined if the disk is not the cause. */
export function diskProblem(error: unknown): string | undefined {
  return isSystemError(error) ? problems[error.code ?? ''] : undefined;
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const problems: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports errors',
};
