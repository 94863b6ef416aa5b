import { expect, test } from 'vitest';
import { readConnectionFile } from './connection-file.ts';

test('a file with a byte order mark is read', () => {
  expect(readConnectionFile('\u{feff}{"connections":[]}', 'a.json')).toEqual({ connections: [] });
});

test('a connection in a file has a named colour, a colour like #12abff, or none', () => {
  const withColor = (color?: unknown) => {
    const file = { connections: [{ name: 'A', driver: 'sqlite', ...(color !== undefined && { color }) }] };
    return readConnectionFile(JSON.stringify(file), 'a.json').connections[0]?.color;
  };
  expect([withColor('teal'), withColor('#12aBff'), withColor(null), withColor()]).toEqual([
    'teal',
    '#12aBff',
    null,
    null,
  ]);
  for (const color of ['banana', '', 'url(x)']) {
    expect(() => withColor(color)).toThrow('a.json: connections.0.color: must be one of red, orange');
  }
});
