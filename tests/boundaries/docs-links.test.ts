import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  ...readdirSync(join(root, 'docs')).map((name) => join(root, 'docs', name)),
  ...readdirSync(root).map((name) => join(root, name)),
].filter((file) => file.endsWith('.md'));

test('every relative link of the documentation leads to an existing file and heading', () => {
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test('docs/README.md lists every page', () => {
  const index = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
  const names = readdirSync(join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  expect(names.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test('a heading in a code block has no anchor, and the anchor of a repeated heading has a number', () => {
  const text = '# Ports, and hosts\n```sh\n# Not a heading\n```\n## Use\n## Use\n### Use\n';
  expect([...anchorsIn(text)]).toEqual(['ports-and-hosts', 'use', 'use-1', 'use-2']);
});

function brokenLinks(page: string): string[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => String(found[1]));
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsIn(readFileSync(file, 'utf8')).has(anchor);
    })
    .map((link) => `${relative(root, page)}: ${link}`);
}

/**
 * The anchors of a page's headings, as GitHub makes them: lower case, spaces as dashes, punctuation left out.
 * The anchor of the second heading with the same name ends with `-1`.
 */
function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutCode(text).matchAll(/^#+ (.+)$/gm)) {
    const name = String(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${name}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}
