import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

test.runIf(process.platform === 'linux')(
  'on a full disk no statement of a client runs without a log entry, and a statement that ran is reported as run',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'trestle-disk-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const child = join(import.meta.dirname, 'full-disk-child.ts');
    const script = `mount -t tmpfs -o size=2m none ${home} && exec ${process.execPath} ${child} ${home} ${join(root, 'dist')}`;
    const { stdout } = await promisify(execFile)('unshare', ['-rm', '/bin/sh', '-c', script]);
    const refusal = {
      ok: false,
      message: 'The call was not run, because Trestle cannot write it to its log: the disk is full',
      hint: "Make room on the disk that holds Trestle's data, or make it writable, and try again.",
    };
    expect(JSON.parse(stdout)).toEqual({
      first: true,
      refused: refusal,
      read: refusal,
      person: true,
      problem: 'the disk is full',
      freed: true,
      ran: true,
      problemThen: 'the disk is full',
      written: true,
      logged: true,
      history: true,
      chain: true,
      problemAtEnd: null,
    });
  },
);
