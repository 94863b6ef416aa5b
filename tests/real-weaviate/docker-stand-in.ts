// Stands in for the `docker` command. `run` starts the real server as a process, whose environment comes only from
// the arguments. An unknown option is refused.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts } from '../../scripts/weaviate/ports.ts';

export interface StandInEngine {
  /** The output of `docker info`. Without it, no engine answers. */
  info?: object;
  endpoint?: string;
  /** The binary of the server in each image that is on this machine, by image name. */
  images: Record<string, string>;
  /** A pull hangs, as with a registry that does not answer. */
  pullHangs?: boolean;
}

const folder = process.env.STAND_IN_FOLDER ?? '';
const engine = JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8')) as StandInEngine;
const valued = ['--name', '--network', '--userns', '--security-opt', '--user', '--pull', '-p', '-v', '-e'];
const containerFile = (name: string) => join(folder, 'containers', name);

const [command = '', ...args] = process.argv.slice(2);
if (command === 'context') console.log(engine.endpoint ?? 'unix:///var/run/docker.sock');
else if (!engine.info) fail(1, 'Cannot connect to the Docker daemon. Is the docker daemon running?');
else if (command === 'info') console.log(JSON.stringify(engine.info));
else if (command === 'image') process.exitCode = imageHere(args[1]) ? 0 : 1;
else if (command === 'pull') await pull(args[0]);
else if (command === 'run') await runContainer(args);
else if (command === 'stop') await stopContainer(args[0], 'SIGTERM');
else if (command === 'rm' && args[0] === '--force') await stopContainer(args[1], 'SIGKILL');
else fail(1, `docker: unknown command: docker ${command}`);

function fail(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}

function imageHere(image = ''): string | undefined {
  return engine.images[image];
}

async function pull(image = ''): Promise<void> {
  if (engine.pullHangs) await wait(600_000);
  fail(1, `Error response from daemon: manifest for ${image} not found: manifest unknown`);
}

interface Wanted {
  options: Record<string, string[]>;
  image: string;
  command: string[];
}

function parseRun(words: string[]): Wanted {
  const options: Record<string, string[]> = {};
  const rest = [...words];
  while (rest[0]?.startsWith('-')) {
    const option = rest.shift() ?? '';
    if (option !== '--rm' && !valued.includes(option)) fail(125, `unknown flag: ${option}`);
    options[option] = [...(options[option] ?? []), option === '--rm' ? '' : (rest.shift() ?? '')];
  }
  const fixed = {
    '--network': 'host',
    '--userns': 'host',
    '--security-opt': 'label=disable',
    '--pull': 'never',
  };
  for (const [option, only] of Object.entries(fixed))
    if (options[option] && options[option].join() !== only)
      fail(125, `${option} ${options[option]}: not known here`);
  return { options, image: rest.shift() ?? '', command: rest };
}

async function runContainer(words: string[]): Promise<void> {
  const { options, image, command: given } = parseRun(words);
  const binary = imageHere(image) ?? fail(125, `docker: Error response from daemon: No such image: ${image}`);
  const name = options['--name']?.[0] ?? fail(125, 'The tests need the option --name');
  const isHost = options['--network'] !== undefined;
  const published = options['-p']?.[0];
  const inner = isHost ? null : await publish(published, given);
  const [uid, gid] = (options['--user']?.[0] ?? '').split(':').map(Number);
  const server = spawn(binary, inner?.command ?? given, {
    env: environmentOf(options, isHost),
    stdio: ['ignore', 'inherit', 'inherit'],
    // A container outlives the `docker` command that started it.
    detached: true,
    ...(options['--user'] && { uid, gid }),
  });
  mkdirSync(join(folder, 'containers'), { recursive: true });
  writeFileSync(containerFile(name), String(server.pid));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill(signal));
  const code = await exitOf(server);
  if (options['--rm']) rmSync(containerFile(name), { force: true });
  process.exit(code);
}

/**
 * Imitates a separate network: only the published port leads in, and only to a server that listens on all addresses.
 */
async function publish(published: string | undefined, given: string[]): Promise<{ command: string[] }> {
  const [, address, outer, inside] =
    /^([\d.]+):(\d+):(\d+)$/.exec(published ?? '') ?? fail(125, 'invalid -p');
  const target = await freePorts(1);
  const host = given.indexOf('--host') + 1;
  const port = given.indexOf('--port') + 1;
  const isReached = given[host] === '0.0.0.0' && given[port] === inside;
  const door = createServer((socket) => {
    const onward = dial(isReached ? target : 1, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  door.on('error', () => fail(125, `Bind for ${address}:${outer} failed: port is already allocated`));
  await new Promise<void>((resolve) => door.listen(Number(outer), address, resolve));
  return { command: given.with(host, '127.0.0.1').with(port, String(target)) };
}

function environmentOf(options: Record<string, string[]>, isHost: boolean): NodeJS.ProcessEnv {
  const [, source = '', inside = ''] = /^(.*):([^:]+)$/.exec(options['-v']?.[0] ?? '') ?? [];
  const data = source.startsWith('/') ? source : join(folder, 'volumes', source);
  mkdirSync(data, { recursive: true });
  const [, grpcFolder, grpcInside] = /^(.*):([^:]+):ro$/.exec(options['-v']?.[1] ?? '') ?? [];
  const settings = (options['-e'] ?? []).map((setting) => {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? fail(125, `invalid -e: ${setting}`);
    if (value === inside) return [key, data];
    if (grpcInside && value.startsWith(`${grpcInside}/`))
      return [key, `${grpcFolder}${value.slice(grpcInside.length)}`];
    if (isHost || !value.startsWith('http://')) return [key, value];
    // In a separate network, a loopback address is the container's own. No other server answers there.
    const isOurs = value.includes('//host.docker.internal:');
    return [key, isOurs ? value.replace('host.docker.internal', '127.0.0.1') : 'http://127.0.0.1:1'];
  });
  return Object.fromEntries(settings);
}

function exitOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    server.once('error', (error) => fail(127, error.message));
    server.once('exit', (code, signal) => resolve(signal ? 137 : (code ?? 0)));
  });
}

async function stopContainer(name = '', signal: NodeJS.Signals): Promise<void> {
  if (!existsSync(containerFile(name))) fail(1, `Error response from daemon: No such container: ${name}`);
  const pid = Number(readFileSync(containerFile(name), 'utf8'));
  const send = (what: NodeJS.Signals | 0) => {
    try {
      return process.kill(pid, what);
    } catch {
      return false;
    }
  };
  send(signal);
  for (let tenths = 0; tenths < 100 && send(0); tenths++) await wait(100);
  send('SIGKILL');
  rmSync(containerFile(name), { force: true });
  console.log(name);
}
