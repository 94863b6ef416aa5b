import { expect, test } from 'vitest';
import { Lines, maxLength } from './lines.ts';

test('a line that is too long is reported once and skipped', () => {
  const seen: string[] = [];
  const lines = new Lines(
    (line) => seen.push(line),
    () => seen.push('too long'),
  );
  const piece = 'x'.repeat(maxLength / 4);
  for (let count = 0; count < 6; count++) lines.push(piece);
  lines.push('end\nnext\r\n\n ');
  lines.push('pa');
  lines.push('rts\n');
  expect(seen).toEqual(['too long', 'next', 'parts']);
});
