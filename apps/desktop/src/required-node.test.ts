import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requiredNode } from './required-node.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function refuse(found: string) {
  const file = join(import.meta.dirname, 'required-node.ts');
  const script = `const { refuseOtherNode } = await import(${JSON.stringify(file)}); refuseOtherNode(${JSON.stringify(found)});`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

test('another version of Node is refused with one line of text', () => {
  const { status, stderr } = refuse('20.11.1');
  expect(status).toBe(1);
  expect(stderr).toBe(
    `Trestle needs Node ${requiredNode}, and this is Node 20.11.1. Start it with bin/trestle, which brings its own Node.\n`,
  );
  expect(refuse('26.1.0').status).toBe(1);
  expect(refuse(`${requiredNode}.3`).status).toBe(0);
});

test('the required Node is the one that package.json pins', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (name.startsWith('node-')) expect(version).toMatch(new RegExp(`^${requiredNode}\\.`));
  }
});
