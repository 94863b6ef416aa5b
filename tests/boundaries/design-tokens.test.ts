import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'apps', 'ui', 'src');
const tokens = readFileSync(join(folder, 'controls', 'styles', 'tokens.css'), 'utf8');
/** Base UI's positioner sets these variables on its popups. */
const ofTheLibrary = ['--anchor-width', '--available-width', '--available-height', '--transform-origin'];

const files = globSync('**/*.{css,ts,tsx}', { cwd: folder }).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));

/** A misspelt variable is not an error in CSS: the rule silently has no effect. */
test('the CSS variables that the window uses are defined', () => {
  const defined = new Set(ofTheLibrary);
  for (const { text } of files) {
    for (const [, name] of text.matchAll(/(?:^|[\s{['"`;])(--[a-z0-9-]+)['"`]?\]?:/g)) defined.add(name!);
  }
  const unknown = files.flatMap(({ name, text }) =>
    [...text.matchAll(/var\((--[a-z0-9-]+)(?![a-z0-9-]|\$)/g)]
      .filter(([, variable]) => !defined.has(variable!))
      .map(([, variable]) => `${name}: ${variable}`),
  );
  expect(unknown).toEqual([]);
});

test('the dark theme gives a value to every colour of the light one', () => {
  const [light = '', dark = ''] = tokens.split('[data-theme="dark"]');
  const colours = [...light.matchAll(/(--[a-z0-9-]+):\s*(?:#|rgb)/g)].map(([, name]) => name!);
  const missing = colours.filter((name) => !dark.includes(`${name}:`));
  expect(missing).toEqual([]);
});

test('every design token is used', () => {
  const all = files.map(({ text }) => text).join('\n');
  const used = new Set(
    [...all.matchAll(/(?:var\(|['"`])(--[a-z0-9-]+)(?![a-z0-9-]|\$)/g)].map(([, name]) => name!),
  );
  /** Names with a part that the code fills in, such as `--cat-${number}`. */
  const composed = [...all.matchAll(/var\((--[a-z0-9-]+)\$\{[^}]*\}([a-z0-9-]*)\)/g)];
  const isUsed = (token: string) =>
    used.has(token) || composed.some(([, start, end]) => token.startsWith(start!) && token.endsWith(end!));
  const defined = new Set([...tokens.matchAll(/^\s*(--[a-z0-9-]+):/gm)].map(([, name]) => name!));
  expect([...defined].filter((token) => !isUsed(token))).toEqual([]);
});

test('every font weight is one of the design tokens', () => {
  const weights = new Set([...tokens.matchAll(/--weight[a-z-]*: (\d+)/g)].map(([, weight]) => weight!));
  const others = files.flatMap(({ name, text }) =>
    [...text.matchAll(/font-weight:\s*(\d+|bold\w*)/g)]
      .filter(([, weight]) => !weights.has(weight!))
      .map(([, weight]) => `${name}: ${weight}`),
  );
  expect(others).toEqual([]);
});
