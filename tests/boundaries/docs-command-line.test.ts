import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../apps/desktop/src/cli/commands.ts';

/** The usage of a command family, such as `trestle tokens create|list|revoke`. It shows only some of the options. */
const familyUsage = /^Usage: trestle \w+ [a-z]+\|/;

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'command-line.md'), 'utf8');
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => [section.split('\n')[0] ?? '', section]),
);

/** The help texts. Read from the sources, since the printed help may also have the fields of a driver. */
const helps = sourcesIn('apps/desktop/src/cli')
  .flatMap((source) =>
    [...source.matchAll(/([`'])(Usage: trestle(?:[^`'\\]|\\.|(?!\1)[`'])*)\1/g)].map((found) =>
      String(found[2]),
    ),
  )
  .map((text) => ({ name: commandOf(text), options: optionsIn(text), isFamily: familyUsage.test(text) }));

test('docs/command-line.md has a section for every command, and for no other', () => {
  const expected = [...helps.map(({ name }) => name), 'trestle-mcp'];
  expect([...sections.keys()].sort()).toEqual([...new Set(expected)].sort());
  for (const name of Object.keys(commands)) expect(expected.join('\n')).toContain(`trestle ${name}`);
});

const members = helps.filter(({ isFamily }) => !isFamily);

test.each(members)('the section on $name has the options of its help, and no other', ({ name, options }) => {
  const written = optionsIn(sections.get(name) ?? '').filter((option) => !fieldOptions.has(option));
  expect(written).toEqual(options);
});

test('the section on trestle connections add has the field options of the Weaviate and SQLite drivers', () => {
  const section = sections.get('trestle connections add') ?? '';
  expect([...fieldOptions].filter((option) => !section.includes(option))).toEqual([]);
});

test('the section on trestle-mcp has the options of its help', () => {
  const source = readFileSync(join(root, 'apps/bridge/src/main.ts'), 'utf8');
  const help = /`(trestle-mcp \$\{(?:[^`\\]|\\.)*)`/.exec(source)?.[1] ?? '';
  expect(optionsIn(sections.get('trestle-mcp') ?? '')).toEqual(optionsIn(help));
});

const fieldOptions = new Set(
  ['weaviate', 'sqlite'].flatMap((driver) => {
    const { fields } = JSON.parse(readFileSync(join(root, 'drivers', driver, 'manifest.json'), 'utf8')) as {
      fields: { id: string; type: string }[];
    };
    return fields
      .filter(({ type }) => !type.startsWith('secret'))
      .map(({ id }) => `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  }),
);

/** Gives `trestle connections add` for `Usage: trestle connections add --driver ID …`. */
function commandOf(help: string): string {
  const words = (help.split('\n')[0] ?? '').replace('[start]', 'start').split(' ').slice(1);
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith('--'));
  return words.slice(0, end < 0 ? words.length : end).join(' ');
}

function optionsIn(text: string): string[] {
  const found = [...text.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
  return [...new Set(found)].filter((option) => option !== '--help').sort();
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}
