import { expect, test } from 'vitest';
import { jsonConfig } from './json-config.ts';

const config = jsonConfig('servers', 'trestle', { comments: true });

test.each([
  ['{\n  "a": 1 /* x\n y */\n}\n', '{\n  "a": 1, /* x\n y */\n  "servers": {'],
  ['{\n  "a": 1, /* x\n y */ // z\n}\n', '{\n  "a": 1, /* x\n y */ // z\n  "servers": {'],
  ['{\r\n  "a": 1 // x\r\n}\r\n', '{\r\n  "a": 1, // x\r\n  "servers": {'],
])('an entry goes after the comment of the last property: %j', (text, start) => {
  const after = config.set(text, { command: 'x' });
  expect(after.slice(0, start.length)).toBe(start);
  expect(config.read(after)).toEqual({ a: 1, servers: { trestle: { command: 'x' } } });
});
