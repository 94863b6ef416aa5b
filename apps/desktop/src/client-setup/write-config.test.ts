import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser/lib/esm/main.js';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { Backups } from './backups.ts';
import type { BridgeCommand } from './bridge-command.ts';
import { type Client, clients, writableFile } from './clients.ts';
import { undoConfig, writeConfig } from './write-config.ts';

const bridge = '/opt/Trestle 1/bin/trestle-mcp';
const ownCommand = { command: bridge, args: [] };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-connect-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const client = (id: string): Client => clients.find((one) => one.id === id)!;
const places = () => ({
  platform: 'linux' as const,
  home: folder,
  env: {},
  workspace: join(folder, 'project'),
});

function at(id: string) {
  const chosen = client(id);
  const path = writableFile(chosen.config, places())!;
  const options = { client: chosen, path, bridge: ownCommand, dataDirectory: join(folder, 'data') };
  return {
    path,
    put(text: string) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    text: () => readFileSync(path, 'utf8'),
    write: (more: { replace?: boolean; bridge?: BridgeCommand } = {}) =>
      writeConfig({ ...options, replace: false, ...more }),
    undo: () => undoConfig(options),
  };
}

/** After this many backups, the next one fails, as if the disk were full. */
function diskFullAfter(backups: number): void {
  const { set } = Backups.prototype;
  let left = backups;
  const spy = vi.spyOn(Backups.prototype, 'set').mockImplementation(function (this: Backups, ...args) {
    if (left-- === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    return set.apply(this, args);
  });
  onTestFinished(() => spy.mockRestore());
}

test.each(clients.filter(({ config }) => config.file && config.format !== 'toml').map(({ id }) => id))(
  '%s: a write creates the file, and undo leaves nothing of it',
  (id) => {
    const { path, write, undo } = at(id);
    expect(write()).toMatchObject({ outcome: 'written', path, created: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(write()).toEqual({ outcome: 'present', path });
    expect(undo()).toEqual({ outcome: 'removed', path });
    expect(readdirSync(folder)).toEqual(['data']);
    expect(() => undo()).toThrow('has no backup');
  },
);

test('undo reports that the file was deleted after the write', () => {
  const { path, write, undo } = at('cursor');
  write();
  rmSync(path);
  expect(() => undo()).toThrow(`There is nothing to undo: the file ${path} no longer exists`);
});

const commented = `// my settings
{
\t"theme": "One Dark", // dark
\t/* servers */
\t"context_servers": {
\t\t"other": { "command": "/usr/bin/other", "args": ["a"], },
\t},
\t"tab_size": 4,
}
`;

describe('JSON', () => {
  test('comments, tabs and trailing commas stay; undo restores every byte', () => {
    const { put, text, write, undo } = at('zed');
    put(commented);
    write();
    expect(parseJsonc(text(), [], { allowTrailingComma: true })).toEqual({
      theme: 'One Dark',
      context_servers: {
        other: { command: '/usr/bin/other', args: ['a'] },
        trestle: { command: bridge, args: [] },
      },
      tab_size: 4,
    });
    const lines = text().split('\n');
    for (const line of commented.split('\n')) expect(lines).toContain(line);
    expect(text()).toContain('\n\t\t"trestle": {\n\t\t\t"command"');
    expect(undo().outcome).toBe('restored');
    expect(text()).toBe(commented);
  });

  test.each([
    ['one line', '{"mcpServers":{"a":{"command":"a"}},"z":1}'],
    ['an empty map', '{\n  "mcpServers": {},\n  "z": 1\n}'],
    ['null', '{\n  "mcpServers": null\n}\n'],
    ['a map with only a comment', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
    ['a comment at the end', '{\n  "mcpServers": {\n    "a": {} // first\n    // more\n  } // end\n}\n'],
    ['a comma and a comment', '{\n  "mcpServers": {\n    "a": {}, // first\n  },\n}\n'],
    ['closing braces on the line of the last entry', '{ "mcpServers": {\n  "a": {} } }'],
    ['a comment above an empty object', '// nothing yet\n{}'],
  ])('the entry is added, and undo restores every byte: %s', (_, original) => {
    const { put, text, write, undo } = at('cursor');
    put(original);
    write();
    const options = { allowTrailingComma: true };
    const before = parseJsonc(original, [], options);
    expect(parseJsonc(text(), [], options)).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, trestle: { command: bridge } },
    });
    for (const [comment] of original.matchAll(/\/\/ [a-z ]+/g)) expect(text()).toContain(comment);
    if (original.includes('// first')) expect(text()).toMatch(/"a": \{\},? \/\/ first/);
    undo();
    expect(text()).toBe(original);
  });

  test('a byte order mark and Windows line ends stay', () => {
    const { put, text, write, undo } = at('cursor');
    const original = '\u{feff}{\r\n    "mcpServers": {\r\n        "a": { "command": "a" }\r\n    }\r\n}\r\n';
    put(original);
    write();
    expect(text().startsWith('\u{feff}{\r\n')).toBe(true);
    expect(text().replaceAll('\r\n', '')).not.toContain('\n');
    expect(Object.keys(JSON.parse(text().slice(1)).mcpServers)).toEqual(['a', 'trestle']);
    undo();
    expect(text()).toBe(original);
  });

  test.each([
    ['not JSON', '{ "mcpServers": { '],
    ['a list', '[]'],
    ['servers that are a list', '{ "mcpServers": [] }'],
    ['a comment where the client takes none', '{ /* mine */ "mcpServers": {} }'],
    ['a duplicate key', '{ "mcpServers": { "a": {} }, "mcpServers": { "b": {} } }'],
  ])('%s is refused and left alone', (_, original) => {
    const { put, text, write } = at('claude-desktop');
    put(original);
    expect(() => write({ replace: true })).toThrow();
    expect(text()).toBe(original);
    expect(readdirSync(dirname(at('claude-desktop').path))).toHaveLength(1);
  });

  test('bytes that are not UTF-8 text are refused', () => {
    const { path, put, write } = at('cursor');
    put('');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => write()).toThrow('UTF-8');
  });

  test('another entry named "trestle" stays unless replaced, and undo restores it', () => {
    const { put, text, write, undo } = at('vscode');
    const original = '{ "servers": { "trestle": { "command": "/old" } }, "inputs": [] }';
    put(original);
    expect(() => write()).toThrow(/another entry named "trestle".*/);
    expect(text()).toBe(original);
    write({ replace: true });
    expect(JSON.parse(text()).servers).toEqual({ trestle: { type: 'stdio', command: bridge } });
    write({ replace: true, bridge: { command: '/moved/trestle-mcp', args: [] } });
    undo();
    expect(text()).toBe(original);
  });

  test('after another program changed the file, undo removes only our entry', () => {
    const { put, text, write, undo } = at('cursor');
    put('{}');
    write();
    const changed = JSON.parse(text());
    changed.mcpServers.later = { command: 'later' };
    put(`// added later\n${JSON.stringify(changed, null, 2)}\n`);
    expect(undo().outcome).toBe('entry');
    expect(text()).toMatch(/^\/\/ added later\n/);
    expect(parseJsonc(text())).toEqual({ mcpServers: { later: { command: 'later' } } });
  });

  test('a write that fails leaves nothing to undo', () => {
    const { path, put, write, undo } = at('cursor');
    put('{}');
    rmSync(path);
    mkdirSync(path);
    expect(() => write()).toThrow('could not be read');
    expect(() => undo()).toThrow();
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('if the disk is full after the backup, undo still removes the written file', () => {
    const { path, write, undo } = at('cursor');
    diskFullAfter(1);
    write();
    expect(undo()).toEqual({ outcome: 'removed', path });
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test('after a second write fails, undo still reverts the first, even if no further backup fits', () => {
    const { path, put, text, write, undo } = at('cursor');
    put('{ "theme": "dark" }');
    write();
    chmodSync(path, 0o400);
    diskFullAfter(1);
    const moved = { command: '/moved/trestle-mcp', args: [] };
    expect(() => write({ replace: true, bridge: moved })).toThrow('it is read-only');
    chmodSync(path, 0o600);
    expect(undo().outcome).toBe('restored');
    expect(text()).toBe('{ "theme": "dark" }');
    expect(readdirSync(join(folder, 'data', 'connect'))).toEqual([]);
  });

  test('a linked file stays a link, and keeps its mode', () => {
    const { path, put, write, undo } = at('cursor');
    put('');
    rmSync(path);
    const real = join(folder, 'dotfiles.json');
    writeFileSync(real, '{}\n');
    chmodSync(real, 0o644);
    symlinkSync(real, path);
    write();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('mcpServers.trestle');
    expect(statSync(real).mode & 0o777).toBe(0o644);
    undo();
    expect(readFileSync(real, 'utf8')).toBe('{}\n');
  });
});

describe('YAML', () => {
  const original = `# Goose
GOOSE_MODEL: 'gpt'   # quoted

extensions:
    # the tools I use most
    developer:
        enabled: true
        type: builtin # keep
        timeout: 300
# after the extensions
LONG: "${'long '.repeat(40)}"
`;

  test('the existing lines stay unchanged, and undo restores every byte', () => {
    const { put, text, write, undo } = at('goose');
    put(original);
    write();
    expect(parseYaml(text())).toEqual({
      ...parseYaml(original),
      extensions: {
        developer: { enabled: true, type: 'builtin', timeout: 300 },
        trestle: { name: 'trestle', type: 'stdio', cmd: bridge, args: [], enabled: true, timeout: 300 },
      },
    });
    const lines = text().split('\n');
    let from = 0;
    for (const line of original.split('\n')) from = lines.indexOf(line, from) + 1;
    expect(from).toBe(lines.length);
    undo();
    expect(text()).toBe(original);
  });

  test.each([
    ['an empty file', ''],
    ['no extensions', 'GOOSE_MODEL: gpt'],
    ['an empty flow map', 'extensions: {}\nMODEL: a # note\n'],
    ['a flow map', 'extensions: { a: { type: builtin } }\n'],
    ['extensions that are empty', 'extensions:\nMODEL: a\n'],
    ['a last line without a line end', 'extensions:\n  a:\n    type: builtin'],
    ['a map that is indented', '  GOOSE_MODEL: gpt\n'],
    ['empty extensions that are indented', '  extensions:\n'],
    ['a document with an end marker', 'GOOSE_MODEL: gpt\n...\n'],
  ])('the entry is added, and undo restores every byte: %s', (_, text) => {
    const file = at('goose');
    file.put(text);
    file.write();
    const before = parseYaml(text) ?? {};
    expect(parseYaml(file.text())).toMatchObject({
      ...before,
      extensions: { ...before.extensions, trestle: {} },
    });
    file.undo();
    expect(file.text()).toBe(text);
  });

  test.each([
    ['a comma after the last entry', 'extensions: {trestle: ENTRY, }\n', 'extensions: {}\n'],
    ['an anchor', 'extensions: &all {trestle: ENTRY}\n', 'extensions: &all {}\n'],
    ['an anchor above the entry', 'extensions: &all\n  trestle: ENTRY\n', 'extensions: &all {}\n'],
  ])('undo leaves valid text if the file now has %s', (_, changed, rest) => {
    const file = at('goose');
    file.put('extensions: {}\n');
    file.write();
    file.put(changed.replace('ENTRY', JSON.stringify(parseYaml(file.text()).extensions.trestle)));
    expect(file.undo().outcome).toBe('entry');
    expect(file.text()).toBe(rest);
  });

  test('text that is not YAML is refused', () => {
    const file = at('goose');
    file.put('a: [1\nb: }');
    expect(() => file.write()).toThrow('cannot be read as configuration');
    expect(file.text()).toBe('a: [1\nb: }');
  });

  test('in a file for one server, another entry is replaced only with --replace, and undo restores it', () => {
    const file = at('continue');
    const text =
      'name: Mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: trestle\n    command: mine\n';
    file.put(text);
    expect(() => file.write()).toThrow('another entry');
    file.write({ replace: true });
    expect(parseYaml(file.text()).mcpServers).toEqual([{ name: 'trestle', type: 'stdio', command: bridge }]);
    file.undo();
    expect(file.text()).toBe(text);
    expect(existsSync(file.path)).toBe(true);
  });
});

describe('if another program changed the file, undo keeps everything but our entry', () => {
  test.each([
    [
      'a comment about the neighbour',
      'cursor',
      '{\n  "mcpServers": {\n    "a": {}, // about a\n    "b": {} // about b\n    // end\n  }\n}\n',
    ],
    ['a comma at the end', 'cursor', '{\n  "mcpServers": {\n    "a": {}, // about a\n  },\n}\n'],
    ['one line', 'cursor', '{"mcpServers":{"a": {}},"z":1}'],
    ['Windows line ends', 'cursor', '\u{feff}{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n'],
    ['only a comment', 'cursor', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
    [
      'spaces and comments',
      'goose',
      '# top\nA:   1   # one\n\n\nextensions:\n    # dev\n    dev:\n        args: [ a,   b ]\n    # of x\n    x: {type: y,  z: 1}\n\n# end\nB: "q"\n',
    ],
    [
      'YAML with Windows line ends',
      'goose',
      'A:   1\r\nextensions:\r\n  dev:\r\n    type: builtin\r\nZ: 1\r\n',
    ],
    ['an empty map', 'goose', 'A:   1\nextensions: {}   # none yet\nlist:\n- a\n'],
    ['a flow map', 'goose', 'A:   1\nextensions: {dev: {type:  builtin}}\nlist:\n- a\n'],
    ['the whole file as a flow map', 'goose', '{A:   1, extensions: {dev: {type:  builtin}}}\n'],
  ])('%s', (_, id, original) => {
    const { put, text, write, undo } = at(id);
    put(original);
    write();
    const changed = (before: string) =>
      before.replace('"a"', '"later"').replace(/\bA:/, 'LATER:').replace('none', 'NONE');
    put(changed(text()));
    expect(undo().outcome).toBe('entry');
    expect(text()).toBe(changed(original));
  });
});

describe('an entry named trestle', () => {
  test('is still ours with additions, but not with other arguments', () => {
    const { put, text, write } = at('zed');
    const own = (more: string) => `{ "context_servers": { "trestle": { "command": "${bridge}"${more} } } }`;
    for (const more of ['', ', "env": { "A": "b" }', ', "enabled": false, "args": []']) {
      put(own(more));
      expect(write().outcome).toBe('present');
      expect(text()).toBe(own(more));
    }
    put(own(', "args": ["--verbose"]'));
    expect(() => write()).toThrow('another entry');
  });

  test('names the data directory, and is not ours if it names another one', () => {
    for (const { id, config } of clients) {
      const path = join(folder, id, 'config');
      const options = { client: client(id), path, bridge: ownCommand, dataDirectory: join(folder, 'data') };
      writeConfig({ ...options, home: '/data/other', replace: false });
      expect(readFileSync(path, 'utf8')).toMatch(/TRESTLE_HOME"?: "?\/data\/other/);
      expect(readFileSync(path, 'utf8')).toContain(config.environmentKey ?? 'env');
      expect(writeConfig({ ...options, home: '/data/other', replace: false }).outcome).toBe('present');
      const flags = ` --config ${path}`;
      expect(() => writeConfig({ ...options, flags, replace: false })).toThrow(
        expect.objectContaining({
          hint: `\`trestle connect ${id} --write --replace --config ${path}\` replaces it.`,
        }),
      );
      expect(writeConfig({ ...options, replace: true }).outcome).toBe('written');
      expect(readFileSync(path, 'utf8')).not.toContain('TRESTLE_HOME');
    }
  });
});

describe('a file that we may not write', () => {
  test('a read-only file is left alone', () => {
    const { path, put, text, write, undo } = at('cursor');
    put('{}');
    chmodSync(path, 0o444);
    expect(() => write()).toThrow('it is read-only');
    expect(text()).toBe('{}');
    expect(() => undo()).toThrow('nothing to undo');
  });

  test('a broken link stays unchanged', () => {
    const { path, put, write } = at('cursor');
    put('');
    rmSync(path);
    symlinkSync(join(folder, 'not mounted', 'mcp.json'), path);
    expect(() => write()).toThrow('a link to a file that does not exist');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  test('a pipe is refused without waiting for a writer', () => {
    const { path, put, write } = at('cursor');
    put('');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(() => write()).toThrow('it is not a file');
  });

  test.each(['# mine\n', 'name: Mine\nmcpServers:\n  - name: other\n    command: x\n'])(
    'a file with our name and other content is replaced only with --replace: %s',
    (text) => {
      const file = at('continue');
      file.put(text);
      expect(() => file.write()).toThrow('already exists with other content');
      expect(file.text()).toBe(text);
      file.write({ replace: true });
      file.undo();
      expect(file.text()).toBe(text);
    },
  );
});

describe('a file of a project', () => {
  const cursor = () => {
    const workspace = join(folder, 'project');
    mkdirSync(workspace);
    const path = join(workspace, '.cursor', 'mcp.json');
    return {
      client: client('cursor'),
      path,
      bridge: ownCommand,
      dataDirectory: join(folder, 'data'),
      workspace,
    };
  };

  test('is created if it is inside the project', () => {
    const options = cursor();
    expect(writeConfig({ ...options, replace: false })).toMatchObject({ outcome: 'written', created: true });
    expect(undoConfig(options)).toMatchObject({ outcome: 'removed' });
  });

  test('is not written outside the project, through a link or a linked folder', () => {
    const options = cursor();
    const outside = join(folder, 'settings.json');
    writeFileSync(outside, '{}');
    mkdirSync(dirname(options.path));
    symlinkSync(outside, options.path);
    const write = () => writeConfig({ ...options, replace: true });
    expect(write).toThrow('leads out of the folder');
    rmSync(dirname(options.path), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), dirname(options.path));
    expect(write).toThrow('leads out of the folder');
    expect(() => undoConfig(options)).toThrow('leads out of the folder');
    expect([readFileSync(outside, 'utf8'), readdirSync(join(folder, 'elsewhere'))]).toEqual(['{}', []]);
  });

  test('may be linked within the project', () => {
    const options = cursor();
    mkdirSync(join(options.workspace, 'shared'));
    symlinkSync('shared', dirname(options.path));
    expect(writeConfig({ ...options, replace: false })).toMatchObject({ outcome: 'written' });
    expect(existsSync(join(options.workspace, 'shared', 'mcp.json'))).toBe(true);
  });
});
