import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { isTestCode, sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const server = join('packages', 'mcp-server', 'src');

/** The only files that turn an OwnText into a string for a client. Everywhere else, the compiler keeps strings out. */
const doors = [
  [/new ProtocolError\(/, ['errors.ts']],
  [/content: \[|contents: |role: '/, ['answer/answer.ts']],
  [/Response\.json\(|jsonrpc: '2\.0'/, ['rpc.ts']],
] as const;

test.each(doors)('only %s of the MCP server occurs in %j', (pattern, allowed) => {
  const found = sourceFiles(join(root, server))
    .filter((file) => !isTestCode(file) && !file.includes('/testing/'))
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .map((file) => relative(join(root, server), file));
  expect(found.filter((file) => !(allowed as readonly string[]).includes(file))).toEqual([]);
});

test('`own` is only used as a tag: a call could make any text ours', () => {
  const found = ['packages', 'apps/desktop', 'apps/bridge']
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      return /own`/.test(text) && /[^.\w]own\((?!$)|as (unknown as )?OwnText/m.test(text);
    })
    .map((file) => relative(root, file));
  expect(found).toEqual(['packages/core/src/own-text.test.ts', 'packages/core/src/own-text.ts']);
});
