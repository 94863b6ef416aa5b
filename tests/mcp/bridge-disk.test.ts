import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryHome } from './bridge-fixtures.ts';
import { root } from './running-server.ts';

const shell = (script: string) => ['-rm', '/bin/sh', '-c', script];
const canMount = spawnSync('unshare', shell('mount -t tmpfs none /mnt')).status === 0;

test.runIf(canMount)(
  'a full disk is said in the status, and a read-only one lets the server stop',
  async () => {
    const home = join(temporaryHome(), 'disk');
    mkdirSync(home);
    const child = join(import.meta.dirname, 'disk-child.ts');
    const script = `mount -t tmpfs -o size=256k none ${home} && exec ${process.execPath} ${child} ${home} ${join(root, 'dist')}`;
    const { stdout } = await promisify(execFile)('unshare', shell(script));
    expect(JSON.parse(stdout)).toEqual({
      full: {
        state: 'failed',
        message: `The handshake ${join(home, 'mcp-handshake.json')} cannot be written: the disk is full`,
      },
      freed: true,
      isLeft: true,
    });
  },
);
