import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a zip has the same bytes in different time zones, even at an hour that daylight saving time skips', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'in', 'inner'), { recursive: true });
  writeFileSync(join(folder, 'in', 'inner', 'a.txt'), 'text');
  const zipIn = (zone: string) => {
    const file = join(folder, 'out.zip');
    const program = `
      import { writeZip } from ${JSON.stringify(join(import.meta.dirname, 'archives.ts'))};
      await writeZip(${JSON.stringify(file)}, ${JSON.stringify(join(folder, 'in'))}, {
        time: new Date('2026-03-08T02:30:10Z'),
      });`;
    const env = { ...process.env, TZ: zone };
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { env });
    return readFileSync(file);
  };
  const here = zipIn('UTC');
  for (const zone of ['Asia/Tokyo', 'America/New_York']) expect(zipIn(zone).equals(here), zone).toBe(true);
});
