/** If the disk of the output is full, the command ends with an error: half of an answer must not look complete. */
export function endWhenOutputIsFull(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early. That is not a failure.
    if (!isFull(error)) return;
    process.stderr.write(`${outputFull(error).message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => {});
}

export function isFull({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code);
}

export function outputFull({ code }: NodeJS.ErrnoException): Error {
  return new Error(
    `The output cannot be written: its disk is full, or a size limit is reached (${code}). Send it elsewhere.`,
  );
}
