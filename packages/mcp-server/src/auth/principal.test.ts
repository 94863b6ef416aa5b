import { expect, test } from 'vitest';
import { plainName } from './principal.ts';

test.each([
  ['Claude', 'Claude'],
  [' Claude\nallowed\u202e ', 'Claudeallowed'],
  ['Claude\u2028allowed\u2029', 'Claudeallowed'],
  ['Claude” use “Samples”? (“', "Claude' use 'Samples'? ('"],
  ['Clau\u3164de\u{e0161}', 'Claude'],
  ['', 'unknown client'],
  ['\u200b', 'unknown client'],
  ['n'.repeat(1_000_000), 'n'.repeat(200)],
  [`${'n'.repeat(199)}🪐`, 'n'.repeat(199)],
])('a declared name becomes one short line: case %#', (declared, shown) => {
  expect(plainName(declared)).toBe(shown);
});
