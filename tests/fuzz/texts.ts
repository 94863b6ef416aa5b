import fc from 'fast-check';

/** Texts made mostly of these pieces, and of some random characters. */
export function piecewise(pieces: readonly string[], most = 12): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  );
  return fc.array(piece, { maxLength: most }).map((parts) => parts.join(''));
}

/** A short random text, often with characters that end strings, names or lines. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  piecewise(
    ['"', "'", '`', '\\', ']', ';', '--', '/*', '\0', '\n', '\r', '%', '_', 'é', '🪐', '\u2028', 'a', ' '],
    6,
  ),
);

export interface Damage {
  /** The place, as a fraction of the length. */
  at: number;
  kind: 'change' | 'cut' | 'remove' | 'insert';
  text: string;
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('change', 'cut', 'remove', 'insert'),
  text: fc.oneof(
    fc.constantFrom(
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      'null',
      '0',
      '-1',
      '1e999',
      '\\u0000',
      '\\',
      ' ',
      '\0',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
});

/** The bytes after these changes, made one after the other. */
export function damaged(bytes: Uint8Array, damages: readonly Damage[]): Buffer {
  return damages.reduce<Buffer>((given, { at, kind, text }) => {
    const place = Math.floor(at * given.length);
    const piece = Buffer.from(text);
    const rest = given.subarray(kind === 'insert' ? place : place + Math.max(1, piece.length));
    if (kind === 'cut') return given.subarray(0, place);
    return Buffer.concat([given.subarray(0, place), kind === 'remove' ? Buffer.alloc(0) : piece, rest]);
  }, Buffer.from(bytes));
}

/** Throws the error again, unless it has this name and a code other than `internal`. */
export function expectOwnError(error: unknown, name: 'AppError' | 'DriverError'): void {
  const { name: given, code } = error as { name?: string; code?: string };
  if (given !== name || code === 'internal' || code === undefined) throw error;
}
