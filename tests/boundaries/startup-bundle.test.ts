import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const ui = join(import.meta.dirname, '..', '..', 'dist', 'ui');

/** The page's scripts and styles with everything that they import before they run. */
function loadedAtStart(): string[] {
  const page = readFileSync(join(ui, 'index.html'), 'utf8');
  const waiting = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file!,
  );
  const found = new Set<string>();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    if (!file.endsWith('.js')) continue;
    const code = readFileSync(join(ui, file), 'utf8');
    // `import"./a.js"` and `from"./a.js"`; `import("./a.js")` comes later, on demand.
    for (const [, name] of code.matchAll(/(?:\bimport|\bfrom)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
      waiting.push(`assets/${name}`);
    }
  }
  return [...found].sort();
}

test('the window starts with at most 350 kB, and without the editor and the map', () => {
  const files = loadedAtStart();
  const texts = files.map((file) => readFileSync(join(ui, file)));
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(1);
  const kilobytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1000;
  expect(kilobytes).toBeLessThanOrEqual(350);
  const code = texts.map(String).join('');
  // Words of CodeMirror, of GraphQL's grammar, of the formatters and of the map's layout.
  for (const word of ['cm-scroller', 'Syntax Error: ', 'sql-formatter', 'papaparse']) {
    expect(code.includes(word), word).toBe(false);
  }
});
