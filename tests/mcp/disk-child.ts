import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '@trestle/core';
import { handshakePath, readHandshake } from '@trestle/handshake';
import { superviseMcpServer } from '@trestle/mcp-server';

/** Runs in a mount namespace of its own; `home` is a small disk there. Prints what the server says of itself. */
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
const server = await superviseMcpServer({ core, home, appVersion: '1.0.0', log: () => {}, port: 0 });
const full = server.status();

rmSync(filler);
core.settings.update({ mcpPort: 40_001 });
await untilRunning();
const freed = readHandshake(handshakePath(home)).trusted;

execFileSync('mount', ['-o', 'remount,ro', home]);
await server.close();
await core.close();
const isLeft = existsSync(handshakePath(home));
rmSync(storage, { recursive: true, force: true });
console.log(JSON.stringify({ full, freed, isLeft }));

function fill(): void {
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

async function untilRunning(): Promise<void> {
  while (server.status().state !== 'running') await new Promise((resolve) => setTimeout(resolve, 20));
}
