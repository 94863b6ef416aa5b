import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser/lib/esm/main.js';
import { afterAll, expect } from 'vitest';
import { parse as parseYaml, stringify as yamlText } from 'yaml';
import { clients, serverName } from '../../apps/desktop/src/client-setup/clients.ts';
import { planConfig, undoConfig, writeConfig } from '../../apps/desktop/src/client-setup/write-config.ts';
import { fuzz } from './fuzz.ts';
import { anyText, damage, damaged, expectOwnError } from './texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'trestle-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'config');
const bridge = { command: '/opt/Trestle 1/bin/trestle-mcp', args: [] };
const optionsFor = (id: string) => ({
  client: clients.find((one) => one.id === id)!,
  path,
  bridge,
  dataDirectory: join(folder, 'data'),
});

/** The text without white space and commas, because an edit may move them. */
const marksOf = (text: string) => text.replaceAll(/[\s,]/g, '');

/** Whether `whole` contains the characters of `part` in the same order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length; index++) if (whole[index] === part[at]) at++;
  return at === part.length;
}

interface Layout {
  indent: string;
  eol: string;
  /** Comments for the file, used in turn. An empty text is no comment. */
  marks: string[];
}

const layout: fc.Arbitrary<Layout> = fc.record({
  indent: fc.constantFrom('', ' ', '  ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  marks: fc.array(
    fc.constantFrom(
      '',
      '',
      '',
      '// one',
      '/* two */',
      '/* { "trestle": } */',
      '// "mcpServers": {',
      '/*\n*/',
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

/** JSON as a user may have written it: the layout varies, and comments and trailing commas are possible. */
function commented(value: unknown, { indent, eol, marks }: Layout, trailing: boolean): string {
  let turn = 0;
  const mark = () => {
    const given = marks[turn++ % marks.length]!.replaceAll('\n', eol);
    return given.startsWith('//') ? `${given}${eol}` : given;
  };
  const print = (one: unknown, depth: number): string => {
    const line = indent === '' ? '' : eol + indent.repeat(depth + 1);
    if (typeof one !== 'object' || one === null) return `${mark()}${JSON.stringify(one)}`;
    const [open, close] = Array.isArray(one) ? '[]' : '{}';
    const items = Array.isArray(one)
      ? one.map((item) => print(item, depth + 1))
      : Object.entries(one).map(([key, item]) => `${JSON.stringify(key)}:${mark()}${print(item, depth + 1)}`);
    const end = trailing && items.length > 0 ? ',' : '';
    const inner = items.map((item) => `${line}${mark()}${item}`).join(`,${mark()}`);
    return `${open}${inner}${end}${mark()}${indent === '' ? '' : eol + indent.repeat(depth)}${close}`;
  };
  return `${mark()}${print(value, 0)}${mark()}`;
}

const entry = fc.oneof(
  fc.record({ command: anyText, args: fc.array(anyText, { maxLength: 2 }) }),
  fc.jsonValue({ maxDepth: 1 }),
);
const key = fc.oneof(anyText, fc.constantFrom('theme', '__proto__', 'mcpServers', 'context_servers', 'a'));
const servers = fc.oneof(
  fc.dictionary(fc.oneof(anyText, fc.constantFrom(serverName, 'other', '__proto__')), entry, { maxKeys: 3 }),
  fc.constantFrom(null, {}, [], 'text'),
);

/** Random settings of a client, which may include its servers. */
const settings = (name: string) =>
  fc
    .record({
      before: fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
      servers: fc.option(servers, { nil: undefined }),
      after: fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
    })
    .map(({ before, servers: given, after }) => ({
      ...before,
      ...(given !== undefined && { [name]: given }),
      ...Object.fromEntries(Object.entries(after).filter(([one]) => one !== name || given === undefined)),
    }));

/**
 * The file is refused, or everything except our entry has the same value as before. If the entry is added and replaces
 * no `null`, the earlier text stays too, except white space and commas. In YAML, only the comments of that text must
 * stay.
 */
function expectKept(id: string, before: string, read: (text: string) => unknown): void {
  const options = optionsFor(id);
  writeFileSync(path, before);
  let plan: ReturnType<typeof planConfig>;
  try {
    plan = planConfig(options);
  } catch (error) {
    expectOwnError(error, 'AppError');
    return;
  }
  if (plan.state === 'present') {
    expect(plan.after).toBe(before);
    return;
  }
  const { key: name } = options.client.config;
  const after = read(plan.after) as Record<string, Record<string, unknown>>;
  expect(after[name]?.[serverName]).toMatchObject({ args: [] });
  if (before.trim() === '') return;
  const old = (read(before) ?? {}) as Record<string, Record<string, unknown>>;
  const rest = (all: typeof old) => {
    const own = Object.entries(all[name] ?? {}).filter(([one]) => one !== serverName);
    return { ...all, [name]: own };
  };
  expect(rest(after)).toEqual(rest(old));
  const isAddition = plan.state === 'missing' && isMapOrMissing(old[name]);
  const kept = options.client.config.format === 'yaml' ? before.match(/^# .*/gm) : [before];
  for (const text of isAddition ? (kept ?? []) : []) {
    expect(isWithin(marksOf(text), marksOf(plan.after))).toBe(true);
  }
}

function isMapOrMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

const readJson = (text: string) => parseJson(text, [], { allowTrailingComma: true }) as unknown;

fuzz({
  name: 'config-json',
  holds:
    'a file is refused, or our entry is set and all other values stay. An addition that replaces no null also keeps the comments',
  short: 600,
  weight: 5,
  inputs: settings('context_servers').chain((value) =>
    fc.record({ value: fc.constant(value), layout, trailing: fc.boolean() }),
  ),
  property({ value, layout: form, trailing }) {
    expectKept('zed', commented(value, form, trailing), readJson);
  },
});

fuzz({
  name: 'config-yaml',
  holds:
    'a file is refused, or our entry is set and all other values stay. An addition that replaces no null also keeps the comments',
  short: 250,
  weight: 20,
  inputs: fc.record({
    value: settings('extensions'),
    flow: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
    note: fc.constantFrom('', '# a note\n', '---\n'),
    end: fc.constantFrom('', '# the end', '\n\n'),
  }),
  property({ value, flow, eol, note, end }) {
    const text = note + yamlText(value, flow ? { collectionStyle: 'flow' } : {}) + end;
    expectKept('goose', text.replaceAll('\n', eol), (given) => parseYaml(given) as unknown);
  },
});

fuzz({
  name: 'config-damaged',
  holds: 'a damaged file is refused and not changed, or edited so that undo restores every byte',
  short: 60,
  weight: 100,
  inputs: fc.record({
    client: fc.constantFrom('claude-desktop', 'zed', 'goose', 'continue', 'opencode'),
    damages: fc.array(damage, { maxLength: 3 }),
    replace: fc.boolean(),
  }),
  property({ client, damages, replace }) {
    const options = optionsFor(client);
    const { format, key: name } = options.client.config;
    const value = { theme: 'dark', [name]: { other: { command: 'x' } }, last: [1, { a: null }] };
    const whole = format.startsWith('yaml') ? yamlText(value) : JSON.stringify(value, null, 2);
    const before = damaged(Buffer.from(whole), damages);
    writeFileSync(path, before);
    try {
      const { outcome } = writeConfig({ ...options, replace });
      if (outcome === 'present') return;
      expect(writeConfig({ ...options, replace: false }).outcome).toBe('present');
      expect(undoConfig(options).outcome).toBe('restored');
    } catch (error) {
      expectOwnError(error, 'AppError');
    }
    expect(readFileSync(path)).toEqual(before);
  },
});
