import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedAtStart } from './loaded-at-start.ts';

const ui = join(import.meta.dirname, '..', '..', 'dist', 'ui');

test('at its start, the window loads at most 350 kB (gzipped), without the editor, the SQL formatter and the parser of GraphQL', () => {
  const files = loadedAtStart(ui);
  expect(files.filter(({ file }) => file.endsWith('.js')).length).toBeGreaterThan(1);
  const kilobytes = files.reduce((sum, { gzipped }) => sum + gzipped, 0) / 1000;
  expect(kilobytes).toBeLessThanOrEqual(350);
  const code = files.map(({ text }) => text).join('');
  // Words of CodeMirror, of the GraphQL parser and of the SQL formatter.
  for (const word of ['cm-scroller', 'Syntax Error: ', 'sql-formatter']) {
    expect(code.includes(word), word).toBe(false);
  }
});
