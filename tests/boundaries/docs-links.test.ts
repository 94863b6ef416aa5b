import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  ...readdirSync(join(root, 'docs')).map((name) => join(root, 'docs', name)),
  ...readdirSync(root).map((name) => join(root, name)),
].filter((file) => file.endsWith('.md'));

test('every relative link of the documentation leads to a file, and to a heading that it has', () => {
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test('docs/README.md lists every page', () => {
  const index = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
  const names = readdirSync(join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  expect(names.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

function brokenLinks(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => String(found[1]));
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    })
    .map((link) => `${relative(root, page)}: ${link}`);
}

/**
 * The anchors of a page's headings, as GitHub makes them: lower case, spaces as dashes, other characters left
 * out.
 */
function anchorsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, heading]) =>
    String(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(anchors);
}
