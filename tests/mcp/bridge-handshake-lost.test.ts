import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { handshakePath } from '@trestle/handshake';
import { expect, onTestFinished, test } from 'vitest';
import { createUserHome, startApp } from './bridge-home.ts';
import { spawnBridge } from './bridge-process.ts';

test.runIf(process.platform === 'linux')(
  'if the handshake is lost while the app runs, the app writes the file again for the next client, or the status names the cause',
  async () => {
    const home = createUserHome();
    onTestFinished(() => home.close());
    const app = await startApp(home);
    const path = handshakePath(home.dataDirectory);
    const problem = async () => (await home.json<{ mcpProblem: string | null }>('status')).mcpProblem;
    const toolCount = async () => {
      const { result } = await spawnBridge(home.dataDirectory).ask('tools/list');
      return (result?.tools as unknown[] | undefined)?.length ?? 0;
    };
    for (const lose of [() => rmSync(path), () => writeFileSync(path, 'half of a ')]) {
      lose();
      expect(await toolCount()).toBeGreaterThan(10);
      expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(app.pid);
    }

    rmSync(path);
    await home.run('trestle://integrations/start-mcp');
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(app.pid);
    await expect(home.run('trestle://elsewhere')).rejects.toThrow('There is no command');

    rmSync(path);
    mkdirSync(path);
    writeFileSync(join(path, 'x'), '');
    await home.run('start', '--no-window');
    expect(await problem()).toMatch(
      /^Clients that start trestle-mcp lose access at .* a folder is in its place/,
    );
    expect(await home.run('status')).toMatch(/MCP server {2}port \d+\n {12}Clients that start trestle-mcp/);
    rmSync(path, { recursive: true });
    expect(await toolCount()).toBeGreaterThan(10);
    expect(await problem()).toBe(null);
  },
);
