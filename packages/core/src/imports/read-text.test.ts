import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { readText } from './read-text.ts';

test.each([
  [
    'UTF-8',
    Buffer.concat([Buffer.from('é\n'.repeat(200_000)), Buffer.from([0xc3, 10]), Buffer.from('more\n')]),
    200_001,
  ],
  ['UTF-8', Buffer.from([0x61, 10, 0x62, 0xff]), 2],
  // The byte 10 is half of the character U+0A0A there.
  [
    'UTF-16',
    Buffer.concat([Buffer.from('\ufeffa\n\u0a0a\n', 'utf16le'), Buffer.from([0x00, 0xdc, 0x61, 0x00])]),
    3,
  ],
])('a wrong byte in %s is named with its line', async (encoding, bytes, line) => {
  const path = join(temporaryFolder(), 'wrong.csv');
  writeFileSync(path, bytes);
  await expect(
    Array.fromAsync(readText(path, { signal: new AbortController().signal })),
  ).rejects.toMatchObject({
    message: `${path} is not ${encoding} text: there is a wrong byte in line ${line}`,
  });
});
