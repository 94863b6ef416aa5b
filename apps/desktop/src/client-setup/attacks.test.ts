import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAppError } from '@trestle/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clients } from './clients.ts';
import { planConfig, undoConfig, writeConfig } from './write-config.ts';

const bridge = '/opt/trestle/bin/trestle-mcp';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-connect-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The configuration file of a client, in a project from an attacker. */
function project(id = 'cursor') {
  const workspace = join(folder, 'project');
  const path = join(workspace, '.client', 'config');
  mkdirSync(dirname(path), { recursive: true });
  const client = clients.find((one) => one.id === id) as Client;
  const options = {
    client,
    path,
    bridge: { command: bridge, args: [] },
    dataDirectory: join(folder, 'data'),
    workspace,
  };
  return {
    path,
    workspace,
    put: (content: string | Buffer) => writeFileSync(path, content),
    text: () => readFileSync(path, 'utf8'),
    state: () => planConfig(options).state,
    write: (replace = false) => writeConfig({ ...options, replace }),
    undo: () => undoConfig(options),
    /** Expects a refusal with a message for the user, no new or deleted file in the project, and an undo that fails. */
    expectRefused(words: string | RegExp, replace = true) {
      const before = readdirSync(workspace, { recursive: true }).toSorted();
      const error = caught(() => writeConfig({ ...options, replace }));
      expect(isAppError(error), String(error)).toBe(true);
      expect((error as Error).message).toMatch(words);
      expect(readdirSync(workspace, { recursive: true }).toSorted()).toEqual(before);
      expect(() => undoConfig(options)).toThrow();
    },
  };
}

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return new Error('No error was thrown');
}

describe('a path that is not a plain file of the project', () => {
  const secret = () => {
    const path = join(folder, 'secret.json');
    writeFileSync(path, '{"key":"s3cret"}');
    return path;
  };

  test('a link to a file of the user is refused', () => {
    const { path, expectRefused } = project();
    const target = secret();
    symlinkSync(target, path);
    expectRefused('leads out of the folder');
    expect(readFileSync(target, 'utf8')).toBe('{"key":"s3cret"}');
  });

  test('a chain of links that ends outside the project is refused', () => {
    const { path, workspace, expectRefused } = project();
    symlinkSync(secret(), join(workspace, 'c'));
    symlinkSync('c', join(workspace, 'b'));
    symlinkSync('../b', path);
    expectRefused('leads out of the folder');
  });

  test('links in a circle are refused', () => {
    const { path, workspace, expectRefused } = project();
    symlinkSync('../loop', path);
    symlinkSync('.client/config', join(workspace, 'loop'));
    expectRefused('could not be');
  });

  test('a link to a missing file outside the project is refused', () => {
    const { path, expectRefused } = project();
    symlinkSync(join(folder, 'new.json'), path);
    expectRefused(/leads out of the folder|a link to a file that does not exist/);
    expect(existsSync(join(folder, 'new.json'))).toBe(false);
  });

  test('a folder that is a link to the folder above the project is refused', () => {
    const { path, expectRefused } = project();
    rmSync(dirname(path), { recursive: true });
    symlinkSync('..', dirname(path));
    expectRefused('leads out of the folder');
  });

  test('a link by way of /proc is refused', () => {
    const { path, expectRefused } = project();
    secret();
    symlinkSync(`/proc/self/root${join(folder, 'secret.json')}`, path);
    expectRefused('leads out of the folder');
  });

  test.each(['/dev/zero', '/dev/stdin', '/proc/self/environ', '/proc/self/mem'])(
    'a link to %s is refused',
    (target) => {
      const { path, expectRefused } = project();
      symlinkSync(target, path);
      expectRefused(/leads out of the folder|it is not a file/);
    },
  );

  test('a pipe that nobody writes to is refused', () => {
    const { path, expectRefused } = project();
    execFileSync('mkfifo', [path]);
    expectRefused('it is not a file');
  });

  test('a socket is refused', async () => {
    const { path, expectRefused } = project();
    const server = createServer().listen(path);
    await new Promise((done) => server.once('listening', done));
    expectRefused('it is not a file');
    await new Promise((done) => server.close(done));
  });

  test('a folder is refused', () => {
    const { path, expectRefused } = project();
    mkdirSync(path);
    expectRefused('it is not a file');
  });

  test('a hard link is replaced, and the file under its other name is unchanged', () => {
    const { path, write, text } = project();
    linkSync(secret(), path);
    write();
    expect(JSON.parse(text())).toHaveProperty('mcpServers.trestle');
    expect(readFileSync(join(folder, 'secret.json'), 'utf8')).toBe('{"key":"s3cret"}');
  });

  test('a file in place of the folder of the configuration is refused', () => {
    const { path, expectRefused } = project();
    rmSync(dirname(path), { recursive: true });
    writeFileSync(dirname(path), '');
    expectRefused(/could not be (read|written)/);
  });
});

describe('malicious content', () => {
  test('a file of 40 GB is refused', () => {
    const { path, put, expectRefused } = project();
    put('{}');
    truncateSync(path, 40 * 1024 ** 3);
    expectRefused('larger than 8 MB');
  });

  test('a file just above 8 MB is refused', () => {
    const { put, expectRefused } = project();
    put(`{"a":"${'x'.repeat(8 * 1024 * 1024)}"}`);
    expectRefused('larger than 8 MB');
  });

  test.each([
    ['JSON, lists', 'cursor', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['JSON, maps', 'cursor', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['YAML, lists', 'goose', `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`],
    ['YAML, maps', 'goose', `${'{a: '.repeat(50_000)}1${'}'.repeat(50_000)}\n`],
  ])('a file nested 50,000 deep or more is refused: %s', (_, id, content) => {
    const { put, text, expectRefused } = project(id);
    put(content);
    expectRefused(/cannot be read as configuration|too deep/);
    expect(text()).toBe(content);
  });

  test('YAML aliases of aliases that expand to billions of values are refused', () => {
    const { put, expectRefused } = project('goose');
    const lines = Array.from({ length: 30 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(10).fill(inner).join(', ')}]`;
    });
    put(`${lines.join('\n')}\n`);
    expectRefused('cannot be read as configuration');
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from('\u{feff}{}', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('{"mcpServers":{}}', 'utf16le')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
    ['an overlong quote', Buffer.from([0x7b, 0xc0, 0xa2, 0x7d])],
    ['half of a surrogate pair', Buffer.from([0x7b, 0xed, 0xa0, 0x80, 0x7d])],
    ['a second byte order mark', Buffer.from('\u{feff}\u{feff}{}')],
    ['only NUL bytes', Buffer.alloc(100)],
    ['compressed bytes', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ])('a file that is not UTF-8 text or JSON is refused and left alone: %s', (_, content) => {
    const { path, put, expectRefused } = project();
    put(content);
    expectRefused(/UTF-8|cannot be read as configuration/);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test.each([
    ['servers that are a text', '{"mcpServers":"none"}'],
    ['servers that are a number', '{"mcpServers":7}'],
    ['only a number', '7'],
    ['only a string', '"{}"'],
    ['two documents', '{}{}'],
    ['an extra comma', '{"a":1,,}'],
  ])('JSON that is broken or has the wrong shape is refused and left alone: %s', (_, content) => {
    const { put, text, expectRefused } = project();
    put(content);
    expectRefused(/./);
    expect(text()).toBe(content);
  });
});

describe('an entry that only looks like ours', () => {
  const own = (entry: object, more = '') =>
    JSON.stringify({ mcpServers: { trestle: entry } }).replace('{"mcp', `{${more}"mcp`);

  test.each([
    ['another program', { command: '/tmp/trestle-mcp' }],
    ['our program with a trailing blank', { command: `${bridge} ` }],
    [
      'a path that begins with our folder and leads out of it',
      { command: '/opt/trestle/../../tmp/bin/trestle-mcp' },
    ],
    ['a look-alike letter', { command: bridge.replace('e', '\u0435') }],
    ['a shell around our program', { command: 'sh', args: ['-c', bridge] }],
    ['our program with arguments', { command: bridge, args: ['--require', '/tmp/evil.js'] }],
    ['a list of programs', { command: [bridge] }],
    ['another data directory', { command: bridge, env: { TRESTLE_HOME: '/tmp/theirs' } }],
    ['a function for Bash', { command: bridge, env: { 'BASH_FUNC_cd%%': '() { evil; }' } }],
    ['a file of variables', { command: bridge, envFile: '/project/evil.env' }],
    ['code for Node to load', { command: bridge, env: { NODE_OPTIONS: '--require=/tmp/evil.js' } }],
    ['a library for the loader', { command: bridge, env: { LD_PRELOAD: '/tmp/evil.so' } }],
    ['a library for the loader of macOS', { command: bridge, env: { DYLD_INSERT_LIBRARIES: '/tmp/evil' } }],
    ['a PATH to other programs', { command: bridge, env: { PATH: '/tmp/bin' } }],
    [
      'a variable in another case, which Windows accepts',
      { command: bridge, env: { node_options: '-r /tmp/x' } },
    ],
  ])('counts as another entry: %s', (_, entry) => {
    const { put, text, state, write } = project();
    put(own(entry));
    expect(state()).toBe('conflict');
    expect(caught(() => write())).toMatchObject({ code: 'conflict' });
    expect(text()).toBe(own(entry));
    write(true);
    expect(JSON.parse(text()).mcpServers.trestle).toEqual({ command: bridge });
  });

  test.each([
    ['__proto__', `{"mcpServers":{"__proto__":{"trestle":{"command":"${bridge}"}}}}`],
    ['__proto__ at the top level', `{"__proto__":{"mcpServers":{"trestle":{"command":"${bridge}"}}}}`],
    ['constructor', `{"mcpServers":{"constructor":{"trestle":{"command":"${bridge}"}}}}`],
    ['another case', `{"mcpServers":{"Trestle":{"command":"${bridge}"}}}`],
    ['the servers’ key in another case', `{"MCPServers":{"trestle":{"command":"${bridge}"}}}`],
    ['a zero-width space', `{"mcpServers":{"tres\u200btle":{"command":"${bridge}"}}}`],
    ['a deeper level', `{"projects":{"mcpServers":{"trestle":{"command":"${bridge}"}}}}`],
  ])('does not count as present under the wrong key: %s', (_, content) => {
    const { put, text, state, write } = project();
    put(content);
    expect(state()).not.toBe('present');
    const error = caught(() => write());
    if (isAppError(error)) expect(text()).toBe(content);
    else expect(Object.keys(JSON.parse(text()).mcpServers)).toContain('trestle');
  });

  test('is refused if a second entry has the same name, written with an escape', () => {
    const { put, text, expectRefused } = project();
    const content = `{"mcpServers":{"trestle":{"command":"${bridge}"},"tr\\u0065stle":{"command":"/tmp/x"}}}`;
    put(content);
    expectRefused('cannot be changed safely');
    expect(text()).toBe(content);
  });
});

describe('a file that changes at the wrong moment', () => {
  test('undo is refused after the file became a link out of the project', () => {
    const { path, write, undo } = project();
    write();
    const outside = join(folder, 'outside.json');
    writeFileSync(outside, '{"mine":1}');
    rmSync(path);
    symlinkSync(outside, path);
    expect(caught(undo)).toMatchObject({ code: 'invalid_argument' });
    expect(readFileSync(outside, 'utf8')).toBe('{"mine":1}');
  });

  test('undo does not change a file whose whole content was replaced', () => {
    const { put, text, write, undo } = project();
    put('{"a":1}');
    write();
    put('{"b":2}');
    undo();
    expect(text()).toBe('{"b":2}');
  });

  test('undo does not hang on a line with a million blanks', () => {
    const { put, text, write, undo } = project();
    put(`{"mcpServers":{${' '.repeat(1_000_000)}"a":1}}`);
    write();
    put(text().replace('"a":1', '"a":2'));
    expect(undo().outcome).toBe('entry');
    expect(JSON.parse(text())).toEqual({ mcpServers: { a: 2 } });
  });

  test('undo does not use a planted backup that lacks fields', () => {
    const { write, undo, text, put } = project();
    put('{"a":1}');
    const written = write();
    const backup = written.outcome === 'written' ? written.backup : '';
    writeFileSync(backup, '{"version":1,"original":"e30="}');
    expect(caught(undo)).toMatchObject({ code: 'not_found' });
    expect(JSON.parse(text())).toHaveProperty('mcpServers.trestle');
  });
});
