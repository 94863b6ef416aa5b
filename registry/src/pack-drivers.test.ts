import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { driverPackages } from './pack-drivers.ts';

test.each([
  ['# Changes\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n\nOld.\n', 'New.'],
  ['# Changes\n\n## 1.2.2\n\nOld.\n\n## 1.2.3\n', ''],
  ['# Changes\n\n## 1.2.2\n\nOld.\n\n## 1.2.3', ''],
  ['# Changes\n\n## 1.2.2\n\nOld.\n', ''],
])('a package gets the section of CHANGES.md for its own version, or an empty text: %j', (text, changes) => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'CHANGES.md'), text);
  const file = join(folder, 'x-1.2.3.tgz');
  writeFileSync(file, '');
  expect(driverPackages([{ id: 'x', version: '1.2.3', folder }], folder)).toEqual([{ file, changes }]);
});
