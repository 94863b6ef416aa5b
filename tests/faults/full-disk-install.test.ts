import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

test.runIf(process.platform === 'linux')(
  'on a full disk, an install fails, names the step that failed, and leaves no files',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'trestle-disk-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const child = join(import.meta.dirname, 'full-disk-install-child.ts');
    const script = `mount -t tmpfs -o size=8m none ${home} && exec ${process.execPath} ${child} ${home} ${join(root, 'dist')}`;
    const { stdout } = await promisify(execFile)('unshare', ['-rm', '/bin/sh', '-c', script]);
    const refusedAt = (step: string) => ({
      code: 'storage_failed',
      message: `Step "${step}" refused the driver: the disk is full`,
      hint: 'Make room on the disk that holds Trestle’s data, or make it writable, and try again.',
      left: [],
    });
    expect(JSON.parse(stdout)).toEqual({
      download: refusedAt('download'),
      unpack: refusedAt('unpack'),
      room: { installed: 'weaviate' },
    });
  },
);
