// The whole program of trestle-mcp.exe: it starts the bridge with the Node of this package, and exits with the
// same code.
const { spawn } = require('node:child_process');
const { dirname, join } = require('node:path');

const folder = dirname(process.execPath);
const program = join(folder, 'dist', 'trestle-mcp.cjs');
const args = ['--disable-sigusr1', program, ...process.argv.slice(2)];
const child = spawn(join(folder, 'runtime', 'node.exe'), args, { stdio: 'inherit', windowsHide: true });
process.on('SIGINT', () => {});
child.on('error', (error) => {
  console.error(`Could not start ${join(folder, 'runtime', 'node.exe')}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
