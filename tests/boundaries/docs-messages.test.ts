import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rpcCode } from '../../packages/mcp-server/src/rpc.ts';
import { findMessages } from './user-messages.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');

/** The messages in the first column of the page's tables, where `…` stands for any text. */
const entries = page
  .split('\n## Codes')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => line.slice(2, line.lastIndexOf(' | ')).split('<br>'))
  .map((cell) => cell.replace(/^(`` |`)|( ``|`)$/g, ''))
  .map((text) => ({ text, pattern: patternOf(text) }));

const messages = findMessages(root).map(({ text, file }) => ({
  text: text.replaceAll(/…+/g, '…').trim(),
  file,
}));

test('docs/troubleshooting.md has an entry for every error message of three words or more', () => {
  const missing = messages
    .filter(({ text }) => text.split(/\s+/).length > 2 && !entries.some(({ pattern }) => pattern.test(text)))
    .map(({ text, file }) => `${file}: ${text}`);
  expect(
    [...new Set(missing)],
    'Add these messages to docs/troubleshooting.md, with cause and remedy',
  ).toEqual([]);
});

test('every entry of docs/troubleshooting.md is a message of the code', () => {
  const stale = entries.filter(({ pattern }) => !messages.some(({ text }) => pattern.test(text)));
  expect(
    stale.map(({ text }) => text),
    'The code does not have these messages: correct or remove the entries',
  ).toEqual([]);
});

test('every entry of docs/troubleshooting.md has four fixed characters or more, so none matches every message', () => {
  const literal = (text: string) => text.replaceAll(/[\s…]/g, '').length;
  expect(entries.filter(({ text }) => literal(text) < 4).map(({ text }) => text)).toEqual([]);
});

test('docs/troubleshooting.md has every error code, and no other', () => {
  const sources = ['packages/driver-kit/src/errors.ts', 'packages/core/src/errors.ts'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const codes = sources.flatMap((source) =>
    [...source.matchAll(/^ {2}\| '([a-z_]+)'/gm)].map((found) => found[1]),
  );
  const listed = page.split('\n## Codes')[1] ?? '';
  const written = [...listed.matchAll(/^\| `?([a-z_]+|-\d+)`? \|/gm)].map((found) => String(found[1]));
  const turnedOff = -33006;
  expect(written.sort()).toEqual([...codes, ...Object.values(rpcCode), turnedOff].map(String).sort());
});

function patternOf(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
