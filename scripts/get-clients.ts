import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The real AI clients that `npm run clients` installs for the tests. They are not in the lockfile. */
const clients = ['@anthropic-ai/claude-code', 'opencode-ai', '@openai/codex', '@google/gemini-cli'];

const folder = join(import.meta.dirname, '..', '.cache', 'clients');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
execFileSync('npm', ['install', '--no-audit', '--no-fund', ...clients.map((name) => `${name}@latest`)], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
