/** Where a command writes to a full disk, it ends with a sentence: half an answer must not look like a whole one. */
export function endWhenOutputIsFull(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, closes the pipe. That is no failure.
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
  return new Error(`The output cannot be written: its disk or device is full (${code}). Send it elsewhere.`);
}
