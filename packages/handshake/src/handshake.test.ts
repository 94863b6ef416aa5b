import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataDirectory } from './data-directory.ts';
import { handshakePath, removeHandshake, writeHandshake } from './file.ts';
import type { RunningHandshake } from './format.ts';
import { createChallenge, isChallenge, prove, verifyProof } from './proof.ts';
import { readHandshake } from './trust.ts';

const sample: RunningHandshake = {
  version: 1,
  state: 'running',
  port: 23508,
  token: 'trs_bridge_abc',
  tokenExpiresAt: '2030-01-01T00:00:00.000Z',
  pid: process.pid,
  instanceId: 'instance-1',
  secret: 'secret-1',
  appVersion: '0.1.0',
  protocolVersions: ['2026-07-28'],
  startedAt: '2029-12-31T23:00:00.000Z',
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'handshake-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = () => readHandshake(handshakePath(home));
const distrusted = () => {
  const reading = read();
  return reading.trusted ? 'trusted' : reading.reason;
};

describe('the file', () => {
  test('is read back unchanged and is private, and no other file is left', () => {
    writeHandshake(home, sample);
    expect(read()).toEqual({ trusted: true, handshake: sample });
    expect(statSync(handshakePath(home)).mode & 0o777).toBe(0o600);
    writeHandshake(home, { ...sample, token: 'trs_bridge_def' });
    expect(readdirSync(home)).toEqual(['mcp-handshake.json']);
  });

  test('says when the MCP server is turned off', () => {
    const { version, pid, instanceId, appVersion, startedAt } = sample;
    const disabled = { version, state: 'disabled' as const, pid, instanceId, appVersion, startedAt };
    writeHandshake(home, disabled);
    expect(read()).toEqual({ trusted: true, handshake: disabled });
  });

  test('replaces a link, and the target of the link is not changed', () => {
    const other = join(home, 'other');
    writeFileSync(other, 'untouched');
    symlinkSync(other, handshakePath(home));
    writeHandshake(home, sample);
    expect(readFileSync(other, 'utf8')).toBe('untouched');
    expect(read().trusted).toBe(true);
  });

  test('the next write removes a file that a killed writer left unfinished, and no other file', () => {
    for (const name of ['mcp-handshake.json.0123456789ab', 'mcp-handshake.json.backup', 'other.0123456789ab'])
      writeFileSync(join(home, name), 'x');
    const hourAgo = Date.now() / 1_000 - 3_600;
    utimesSync(join(home, 'mcp-handshake.json.0123456789ab'), hourAgo, hourAgo);
    writeFileSync(join(home, 'mcp-handshake.json.ba9876543210'), 'another copy of the app writes this now');
    writeHandshake(home, sample);
    expect(readdirSync(home).sort()).toEqual([
      'mcp-handshake.json',
      'mcp-handshake.json.ba9876543210',
      'mcp-handshake.json.backup',
      'other.0123456789ab',
    ]);
  });

  test('if it cannot be written, the reason is reported and nothing is left', () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const folder of [file, join(file, 'below')]) {
      expect(() => writeHandshake(folder, sample)).toThrow(
        /^The handshake .*mcp-handshake\.json cannot be written: a part of its path is not a folder$/,
      );
    }
    expect(readdirSync(home)).toEqual(['file']);
  });

  test('an empty folder in its place is replaced, and one with content is reported', () => {
    mkdirSync(handshakePath(home));
    writeHandshake(home, sample);
    expect(read().trusted).toBe(true);
    rmSync(handshakePath(home));
    mkdirSync(join(handshakePath(home), 'kept'), { recursive: true });
    expect(() => writeHandshake(home, sample)).toThrow('a folder is in its place');
    expect(readdirSync(home)).toEqual(['mcp-handshake.json']);
  });

  test('is removed by the instance that wrote it and by no other', () => {
    writeHandshake(home, sample);
    removeHandshake(home, 'instance-2');
    expect(read().trusted).toBe(true);
    removeHandshake(home, 'instance-1');
    expect(distrusted()).toBe('missing');
  });
});

describe('trust', () => {
  test('a missing file, a directory and a link are refused', () => {
    expect(distrusted()).toBe('missing');
    expect(readHandshake(home)).toMatchObject({ trusted: false, reason: 'not_regular' });
    const real = join(home, 'real.json');
    writeFileSync(real, JSON.stringify(sample), { mode: 0o600 });
    symlinkSync(real, handshakePath(home));
    expect(distrusted()).toBe('not_regular');
  });

  test('a file open to others is refused', () => {
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      writeHandshake(home, sample);
      chmodSync(handshakePath(home), mode);
      expect(distrusted()).toBe('exposed');
    }
  });

  test("another user's file is refused", () => {
    const own = process.getuid;
    writeHandshake(home, sample);
    process.getuid = () => (own?.call(process) ?? 0) + 1;
    try {
      expect(distrusted()).toBe('foreign_owner');
    } finally {
      process.getuid = own;
    }
  });

  test('a file left by a process that is gone is stale', () => {
    writeHandshake(home, { ...sample, pid: 2 ** 30 });
    expect(distrusted()).toBe('stale');
  });

  test.each([
    ['a text that is not JSON', 'not json'],
    ['a list', '[]'],
    ['another format version', JSON.stringify({ ...sample, version: 2 })],
    ['an unknown state', JSON.stringify({ ...sample, state: 'odd' })],
    ['a port out of range', JSON.stringify({ ...sample, port: 70_000 })],
    ['a port as text', JSON.stringify({ ...sample, port: '23508' })],
    ['a token that would break a header', JSON.stringify({ ...sample, token: 'a\r\nX: y' })],
    ['an empty secret', JSON.stringify({ ...sample, secret: '' })],
    ['an invalid time', JSON.stringify({ ...sample, tokenExpiresAt: 'soon' })],
    ['more than 64 KB', JSON.stringify({ ...sample, filler: 'x'.repeat(70_000) })],
  ])('a file with %s is refused as malformed', (_, text) => {
    writeFileSync(handshakePath(home), text, { mode: 0o600 });
    expect(distrusted()).toBe('malformed');
  });
});

describe('the proof', () => {
  const challenge = createChallenge();

  test('is valid only for its challenge, port, instance and secret', () => {
    const proof = prove(sample, challenge);
    expect(verifyProof(sample, challenge, proof)).toBe(true);
    expect(verifyProof(sample, createChallenge(), proof)).toBe(false);
    expect(verifyProof({ ...sample, port: 23509 }, challenge, proof)).toBe(false);
    expect(verifyProof({ ...sample, instanceId: 'instance-2' }, challenge, proof)).toBe(false);
    expect(verifyProof({ ...sample, secret: 'secret-2' }, challenge, proof)).toBe(false);
    expect(verifyProof(sample, challenge, undefined)).toBe(false);
  });

  test('a challenge is 32 fresh bytes', () => {
    expect(isChallenge(challenge)).toBe(true);
    expect(createChallenge()).not.toBe(challenge);
    expect(isChallenge('short')).toBe(false);
    expect(isChallenge(null)).toBe(false);
  });
});

test('the data directory depends on the platform, TRESTLE_HOME overrides it, and XDG_DATA_HOME is ignored', () => {
  expect(dataDirectory({ TRESTLE_HOME: '/elsewhere', XDG_DATA_HOME: '/xdg' }, 'linux')).toBe('/elsewhere');
  expect(dataDirectory({ XDG_DATA_HOME: '/xdg' }, 'linux')).toMatch(/\/\.local\/share\/trestle$/);
  expect(dataDirectory({}, 'darwin')).toMatch(/Library\/Application Support\/Trestle$/);
  expect(dataDirectory({ APPDATA: '/roaming' }, 'win32')).toMatch(/roaming.Trestle$/);
  expect(dataDirectory({ APPDATA: '' }, 'win32')).toMatch(/AppData.Roaming.Trestle$/);
});
