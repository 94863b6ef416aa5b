import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { handshakePath } from '@trestle/handshake';
import { expect, test } from 'vitest';
import { temporaryHome } from './bridge-fixtures.ts';
import { createUserHome, startApp } from './bridge-home.ts';
import { root } from './running-server.ts';

test.runIf(process.platform === 'linux')(
  'a second copy of Trestle uses the copy that is already running, and says so',
  async () => {
    const home = createUserHome();
    const copy = join(temporaryHome(), 'Trestle copy');
    mkdirSync(join(copy, 'runtime'), { recursive: true });
    cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true });
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    symlinkSync(process.execPath, join(copy, 'runtime', 'node'));
    try {
      const app = await startApp(home);
      const handshake = readFileSync(handshakePath(home.dataDirectory), 'utf8');
      const second = await promisify(execFile)(join(copy, 'bin', 'trestle'), ['start', '--no-window'], {
        env: home.env,
      });
      expect(second.stdout).toMatch(/Trestle is running/);
      expect(second.stdout).toContain(`Another copy of Trestle is already running: ${root}, version`);
      expect(readFileSync(handshakePath(home.dataDirectory), 'utf8')).toBe(handshake);

      // The bridge of the second copy reaches the running app.
      const client = new Client({ name: 'official', version: '1' });
      const command = join(copy, 'bin', 'trestle-mcp');
      await client.connect(new StdioClientTransport({ command, env: home.env, stderr: 'ignore' }));
      const listed = (await client.callTool({ name: 'list_connections', arguments: {} })) as CallToolResult;
      expect(listed.isError).toBeFalsy();
      await client.close();
      const { pid } = await home.json<{ pid: number }>('status');
      expect(pid).toBe(app.pid);
    } finally {
      await home.close();
    }
  },
);
