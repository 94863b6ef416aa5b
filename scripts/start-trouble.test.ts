import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOut, nodeTrouble, startTrouble } from './prepare.mjs';

const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8' });

test('a Node that starts has no problem', () => {
  expect(startTrouble(run(process.execPath, ['--version']))).toBeUndefined();
});

test.each([
  ['libatomic.so.1', 'libatomic1', 'libatomic'],
  ['libstdc++.so.6', 'libstdc++6', 'libstdc++'],
])('the missing library %s is named, with the command that installs it', (file, debian, fedora) => {
  const loader = `node: error while loading shared libraries: ${file}: cannot open shared object file: No such file`;
  const trouble = startTrouble(run('sh', ['-c', `echo '${loader}' >&2; exit 127`]));
  expect(trouble).toContain(loader);
  expect(trouble).toContain(`apt-get install ${debian}\``);
  expect(trouble).toContain(`dnf install ${fedora}\``);
});

test('if no missing library is named, the message says which glibc Node needs', () => {
  expect(startTrouble(run('/no/such/node', ['--version']))).toMatch(/ENOENT.*glibc 2\.28/s);
});

test.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '26.10.0'])(
  'Node %s is new enough to install Trestle',
  (version) => {
    expect(nodeTrouble(version)).toBeUndefined();
  },
);

test.each(['18.20.4', '20.18.3', '21.7.0', '22.11.0'])(
  'Node %s is too old, and the message says so',
  (version) => {
    expect(nodeTrouble(version)).toContain(`This is Node ${version}.`);
  },
);

test('this installation lacks no native part', () => {
  const lockfile = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
  expect(leftOut(JSON.parse(lockfile).packages)).toEqual([]);
});

test('a native part for this system that npm left out is named; those for other systems are not', () => {
  const here = { optional: true, os: [process.platform], cpu: [process.arch] };
  const packages = {
    'node_modules/@bundler/here': here,
    'node_modules/@bundler/elsewhere': { ...here, os: ['aix'] },
    'node_modules/@bundler/musl': { ...here, libc: ['musl'] },
    'node_modules/plain': { optional: true },
  };
  expect(leftOut(packages, join(tmpdir(), 'nothing-is-installed-here'))).toEqual(['@bundler/here']);
});
