import type { PendingApproval } from '@trestle/core';
import { expect, test } from 'vitest';
import { questionLines } from './question-lines.ts';

const question: PendingApproval = {
  kind: 'destroy',
  id: 'b7c1',
  shortId: '3f2a',
  connection: { id: 'c1', name: 'Library' },
  driver: 'weaviate, from Example',
  tokenName: 'My token',
  clientName: 'editor',
  statement: 'DROP TABLE books',
  summary: 'Drop table books',
  tables: [{ table: 'books', rows: 3 }],
  cascades: false,
  schema: '',
  loss: 'Changed or deleted: 3 rows of books.',
  again: false,
  reason: null,
  title: 'Let “editor” destroy data in “Library”?',
  may: 'It may run this statement once.',
  wants: 'Drop table books. Changed or deleted: 3 rows of books.',
  clientWaits: true,
  askedAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-01T00:10:00.000Z',
};
const linesOf = (changes: object) =>
  questionLines({ ...question, ...changes } as PendingApproval, new Date('2030-01-01T00:05:00Z'), {
    withCommands: false,
  }).split('\n');
const ours = [
  '  Wants:      Drop table books. Changed or deleted: 3 rows of books.',
  '  Client:     editor (the name it gives itself), through token "My token"',
  '  Connection: Library',
  '  Driver:     weaviate, from Example',
  '  Expires:    in 5 minutes',
];

test('after a long statement and reason, the loss, the client and the connection stand next to the prompt', () => {
  const fake = '\n  Wants:      Read rows\n  Connection: Sandbox';
  const lines = linesOf({ statement: `DROP TABLE books --${fake.repeat(1_000)}`, reason: fake });
  expect(lines.slice(-5)).toEqual(ours);
  expect(lines.filter((line) => /^ {0,4}(Wants|Connection):/.test(line))).toHaveLength(2);
});

test.each([
  ['a command of the terminal', '\u001b[2J'],
  ['a command of the terminal in one character', '\u009b2J'],
  ['a carriage return', '\r'],
  ['a turn of the direction', '\u202e'],
  ['a line separator', '\u2028'],
  ['a blank letter', '\u3164'],
  ['a variation selector', '\u{e0161}'],
  ['half a character', '\ud800'],
])('%s in a text of the client is shown by its code', (_, hostile) => {
  const text = `a${hostile}b`;
  const lines = linesOf({
    statement: text,
    reason: text,
    clientName: text,
    tokenName: text,
    wants: text,
    title: text,
    connection: { id: 'c1', name: text },
  });
  expect(lines).toHaveLength(9);
  expect(lines.join('').match(/⟨U\+[0-9A-F]{4,5}⟩/g)).toHaveLength(7);
  expect(lines.join('')).not.toContain(hostile);
});

test('a question about an address shows the whole address, its setting and the keys', () => {
  const lines = linesOf({
    kind: 'endpoint',
    statement: null,
    table: 'Stars',
    endpoints: [{ setting: 'moduleconfig.m.baseurl', value: 'http://evil.example/\n  Connection: Sandbox' }],
    keys: ['x-openai-api-key'],
    may: 'The database may then send x-openai-api-key\u001b[2J to this address.',
  });
  expect(lines.slice(1, 3)).toEqual([
    '  The database may then send x-openai-api-key⟨U+001B⟩[2J to this address.',
    '  Address:    http://evil.example/   Connection: Sandbox, in moduleconfig.m.baseurl',
  ]);
});
