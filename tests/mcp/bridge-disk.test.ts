import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryHome } from './bridge-fixtures.ts';
import { trestle, trestleMcp } from './bridge-home.ts';
import { root } from './running-server.ts';

const shell = (script: string) => ['-rm', '/bin/sh', '-c', script];
const canMount = spawnSync('unshare', shell('mount -t tmpfs none /mnt')).status === 0;

test.runIf(canMount)(
  'the status reports a full or read-only disk, and the server can still stop',
  async () => {
    const home = join(temporaryHome(), 'disk');
    mkdirSync(home);
    const child = join(import.meta.dirname, 'disk-child.ts');
    const script = `mount -t tmpfs -o size=256k none ${home} && exec ${process.execPath} ${child} ${home} ${join(root, 'dist')}`;
    const { stdout } = await promisify(execFile)('unshare', shell(script));
    const unwritten = `The handshake ${join(home, 'mcp-handshake.json')} cannot be written: `;
    expect(JSON.parse(stdout)).toEqual({
      full: { state: 'failed', message: `${unwritten}the disk is full` },
      freed: true,
      filled: `${unwritten}the disk is full`,
      readOnly: `${unwritten}the disk is read-only`,
      isLeft: true,
    });
  },
);

test.runIf(canMount)(
  'the app reports that its disk is read-only, and a client hears that the app could not be started',
  async () => {
    const home = temporaryHome();
    const launch = (command: string) =>
      `mount -t tmpfs -o ro none ${home} && HOME=${home} TRESTLE_HOME=${home} exec ${command}`;
    const app = spawnSync('unshare', shell(launch(`${trestle} start --no-window`)), { encoding: 'utf8' });
    expect(app).toMatchObject({
      status: 1,
      stderr:
        `The data directory ${home} cannot be used: its disk is read-only. ` +
        'Fix that, or name another one in TRESTLE_HOME.\n',
    });
    const bridge = spawn('unshare', shell(launch(trestleMcp)), { stdio: ['pipe', 'pipe', 'ignore'] });
    bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    const [answer] = await once(createInterface(bridge.stdout), 'line');
    bridge.stdin.end();
    await once(bridge, 'exit');
    expect(JSON.parse(answer)).toMatchObject({
      id: 1,
      error: {
        message: expect.stringMatching(/^Trestle is not running: it could not be started .*ended with 1/),
      },
    });
  },
);

test.runIf(canMount)(
  'if the disk is too full for a new configuration, the earlier configuration can still be undone',
  () => {
    const home = temporaryHome();
    const connect = `${trestle} connect cursor --config ${home}/mcp.json`;
    const script = [
      `mount -t tmpfs -o size=256k none ${home} && cd ${home} && export HOME=${home} TRESTLE_HOME=${home}`,
      `echo '{ "mine": 1 }' > mcp.json && ${connect} --write`,
      // The file grows, so that a new backup needs more space than the existing one.
      `sed -i s/trestle-mcp/old/ mcp.json && printf '// %20000s' x >> mcp.json && cp mcp.json before.json`,
      `dd if=/dev/zero of=filler bs=1k; ${connect} --write --replace && echo written`,
      `cmp mcp.json before.json && ls && rm filler && ${connect} --undo >&2 && head -1 mcp.json`,
    ].join('\n');
    const { stdout, stderr } = spawnSync('unshare', shell(script), { encoding: 'utf8' });
    expect(stderr).toMatch(/no space left/i);
    expect(stdout.split('\n').slice(-6)).toEqual([
      'before.json',
      'connect',
      'filler',
      'mcp.json',
      '{ "mine": 1, "mcpServers": {} }',
      '',
    ]);
  },
);
