import { sign } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { indexStatement } from '@trestle/driver-kit/registry';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { placeOf } from '../../packages/core/src/plugins/package-path.ts';
import { driverEntries, type Entry, tarOf } from '../../packages/core/src/plugins/testing/driver-package.ts';
import { unpack } from '../../packages/core/src/plugins/unpack.ts';
import { compareVersions } from '../../packages/core/src/registry/compare-versions.ts';
import { newKey, publicKeyOf, publish } from '../../packages/core/src/registry/testing/served-registry.ts';
import { verifyIndex } from '../../packages/core/src/registry/verify.ts';
import { packagePathChecker } from '../../packages/driver-kit/src/package-paths.ts';
import { fuzz } from './fuzz.ts';
import { anyText, damage, damaged, expectOwnError, piecewise } from './texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'trestle-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = newKey();
const trusted = [publicKeyOf(key)];
const index = {
  format: 1,
  name: 'Fuzz',
  sequence: 3,
  signedAt: '2026-01-01T00:00:00Z',
  expiresAt: null,
  keys: trusted,
  plugins: [publish({}, { key }).entry],
};

function signed(payload: string): Buffer {
  const signature = sign(null, indexStatement(payload), key).toString('base64');
  return Buffer.from(JSON.stringify({ payload, signatures: [{ key: trusted[0], signature }] }));
}

fuzz({
  name: 'registry-index',
  holds: 'a damaged file is refused, or still has the signed content',
  short: 800,
  weight: 5,
  inputs: fc.array(damage, { minLength: 1, maxLength: 2 }),
  property(damages) {
    const payload = JSON.stringify(index);
    try {
      expect(verifyIndex(damaged(signed(payload), damages), trusted)).toEqual(index);
    } catch (error) {
      expectOwnError(error, 'AppError');
    }
  },
});

fuzz({
  name: 'registry-payload',
  holds: 'a damaged index with a valid signature is refused, or no entry leads out of its folder',
  short: 800,
  weight: 5,
  inputs: fc.array(damage, { minLength: 1, maxLength: 2 }),
  property(damages) {
    const payload = damaged(Buffer.from(JSON.stringify(index)), damages).toString();
    try {
      const { plugins } = verifyIndex(signed(payload), trusted);
      for (const { manifest, tarball } of plugins) {
        expect(new URL(tarball, 'https://registry.example/a/').href).toBe(
          `https://registry.example/a/${tarball}`,
        );
        expect(join('/plugins', manifest.id)).toBe(`/plugins/${manifest.id}`);
      }
    } catch (error) {
      expectOwnError(error, 'AppError');
    }
  },
});

const version = fc.oneof(
  fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => parts.join('.')),
  piecewise(['1', '0', '10', '.', '-', '+', 'alpha', 'rc.1', '2'], 6),
);

fuzz({
  name: 'versions',
  holds: 'the comparison of versions is transitive, and a swap of the versions reverses the result',
  short: 3000,
  inputs: fc.tuple(version, version, version),
  property([a, b, c]) {
    const order = (x: string, y: string) => Math.sign(compareVersions(x, y));
    expect(order(a, a)).toBe(0);
    expect(order(a, b) + order(b, a)).toBe(0);
    if (order(a, b) >= 0 && order(b, c) >= 0) expect(order(a, c)).toBeGreaterThanOrEqual(0);
  },
});

const entryName = piecewise(
  ['/', '..', '.', 'a', 'b.js', '\\', ':', 'C:', '\0', '.origin.json', 'é', '//', ' ', '~'],
  6,
);

fuzz({
  name: 'package-paths',
  holds: 'a path in a package is refused or stays in the folder of the package',
  short: 3000,
  inputs: entryName,
  property(name) {
    try {
      const place = placeOf(name, packagePathChecker());
      const path = join('/plugins/x', place);
      expect(path === '/plugins/x' || path.startsWith('/plugins/x/')).toBe(true);
      expect(relative('/plugins/x', path)).toBe(place);
    } catch (error) {
      expectOwnError(error, 'AppError');
    }
  },
});

const entryType = fc.constantFrom(
  'File',
  'File',
  'File',
  'OldFile',
  'Directory',
  'SymbolicLink',
  'Link',
  'FIFO',
  'CharacterDevice',
  'ContiguousFile',
  'GlobalExtendedHeader',
  'ExtendedHeader',
  'NextFileHasLongPath',
);

let round = 0;

fuzz({
  name: 'tarballs',
  holds:
    'a package, refused or not, creates only regular files and folders, and nothing beside its own folder',
  short: 250,
  weight: 50,
  inputs: fc.record({
    entries: fc.array(
      fc.record({
        path: fc.oneof(fc.constantFrom('manifest.json', 'driver.js', 'a/b.js'), entryName),
        type: entryType,
        linkpath: fc.constantFrom('', '../../x', '/etc/passwd', 'manifest.json'),
        body: anyText,
      }),
      { maxLength: 3 },
    ),
    inTar: fc.array(damage, { maxLength: 2 }),
    inGzip: fc.array(damage, { maxLength: 1 }),
  }),
  async property({ entries, inTar, inGzip }) {
    const outer = join(folder, String(round++));
    const own = join(outer, 'package');
    mkdirSync(own, { recursive: true });
    const tar = tarOf([...driverEntries(), ...(entries as Entry[])]);
    try {
      await unpack(damaged(gzipSync(damaged(tar, inTar)), inGzip), own, new AbortController().signal);
    } catch (error) {
      expectOwnError(error, 'AppError');
    }
    expect(readdirSync(outer)).toEqual(['package']);
    for (const name of readdirSync(own, { recursive: true }) as string[]) {
      const found = lstatSync(join(own, name));
      expect(found.isFile() || found.isDirectory()).toBe(true);
      if (found.isFile()) expect([found.mode & 0o777, found.nlink]).toEqual([0o600, 1]);
    }
    rmSync(outer, { recursive: true });
  },
});
