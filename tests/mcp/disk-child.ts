import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '@trestle/core';
import { handshakePath, readHandshake } from '@trestle/handshake';
import { superviseMcpServer } from '@trestle/mcp-server';

/**
 * Runs in its own mount namespace, where `home` is a small disk. Prints the state of the MCP server and of its
 * handshake while the disk is full, free, full again and read-only.
 */
const [home = '', dist = ''] = process.argv.slice(2);
const storage = mkdtempSync(join(tmpdir(), 'trestle-disk-'));
const core = await createCore({
  home: storage,
  hostEntry: join(dist, 'driver-host.js'),
  bundledDrivers: [],
  secretStore: 'file',
});
const filler = join(home, 'filler');
fill();
const server = await superviseMcpServer({
  core,
  home,
  appVersion: '1.0.0',
  log: () => {},
  port: 0,
  // A new token is due 10 ms after the last one.
  tokenLifetimeMs: 60_000,
  tokenRotateBeforeMs: 59_990,
});
const full = server.status();

rmSync(filler);
core.settings.update({ mcpPort: 40_001 });
await until(() => server.status().state === 'running');
const freed = readHandshake(handshakePath(home)).trusted;

fill();
await until(() => unheard());
const filled = unheard();
rmSync(filler);
await until(() => !unheard());

execFileSync('mount', ['-o', 'remount,ro', home]);
await until(() => unheard());
const readOnly = unheard();
await server.close();
await core.close();
const isLeft = existsSync(handshakePath(home));
rmSync(storage, { recursive: true, force: true });
console.log(JSON.stringify({ full, freed, filled, readOnly, isLeft }));

function fill(): void {
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

function unheard(): string | undefined {
  const status = server.status();
  return status.state === 'running' ? status.unheard?.message : undefined;
}

async function until(isSo: () => unknown): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
