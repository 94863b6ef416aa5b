import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The scripts and styles that the page names, and the scripts that these scripts import statically. */
export function loadedAtStart(ui: string): { file: string; text: string; gzipped: number }[] {
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
    // Matches `import"./a.js"` and `from"./a.js"`. An `import("./a.js")` is loaded later, on demand.
    for (const [, name] of code.matchAll(/(?:\bimport|\bfrom)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
      waiting.push(`assets/${name}`);
    }
  }
  return [...found].sort().map((file) => {
    const bytes = readFileSync(join(ui, file));
    return { file, text: String(bytes), gzipped: gzipSync(bytes).length };
  });
}
