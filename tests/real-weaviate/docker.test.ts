import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { freePorts } from '../../scripts/weaviate/ports.ts';
import { type DockerRun, runWithDocker } from './docker-run.ts';
import type { StandInEngine } from './docker-stand-in.ts';
import { describeOnWeaviate } from './servers.ts';

const linux = {
  OSType: 'linux',
  OperatingSystem: 'Debian GNU/Linux 13',
  Name: hostname(),
  SecurityOptions: [],
};
const desktop = { OSType: 'linux', OperatingSystem: 'Docker Desktop', Name: 'docker-desktop' };
const rootless = { ...linux, SecurityOptions: ['name=seccomp,profile=builtin', 'name=rootless'] };

const runs: DockerRun[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) await run.clear();
});

async function start(engine: StandInEngine, ...args: string[]): Promise<DockerRun> {
  const run = await runWithDocker(engine, ...args);
  runs.push(run);
  return run;
}

/** A client of the started server, with the key `sesame`. */
function client(port: number) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sesame' };
  return async (path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
}

async function nearest(port: number, concept: string): Promise<unknown> {
  const ask = client(port);
  const properties = [{ name: 'name', dataType: ['text'] }];
  await ask('/schema', { class: 'Thing', vectorizer: 'text2vec-transformers', properties });
  for (const name of ['violin', 'planet', 'river'])
    await ask('/objects', { class: 'Thing', properties: { name } });
  const query = `{ Get { Thing(nearText: {concepts: ["${concept}"]}, limit: 1) { name } } }`;
  return await ask('/graphql', { query });
}

const ways = [
  { name: "on the machine's network", info: linux, data: 'HOME/.cache/trestle/weaviate-data' },
  { name: 'in a virtual machine', info: desktop, data: 'the volume trestle-weaviate' },
];

describeOnWeaviate('npm run weaviate with Docker', ({ version, binary }) => {
  const image = `semitechnologies/weaviate:${version}`;
  const images = { [image]: binary };

  test.each(ways)(
    'starts a server with a key and nearText, $name, and stops it after a signal',
    async ({ info, data }) => {
      const port = await freePorts(1);
      const run = await start(
        { info, images },
        '--version',
        version,
        '--port',
        `${port}`,
        '--api-key',
        'sesame',
      );
      const said = await run.says(/answers at/);
      expect(said).toContain(`Starting Weaviate ${version} from ${image} …`);
      expect(said).toContain(`Weaviate ${version} answers at http://127.0.0.1:${port}`);
      expect(said).toContain(
        `its data is in ${data.replace('HOME', run.folder)}-${version}. Ctrl-C stops it.`,
      );
      expect(await client(port)('/meta')).toMatchObject({ version });
      const meta = `http://127.0.0.1:${port}/v1/meta`;
      expect((await fetch(meta)).status).toBe(401);
      expect((await fetch(meta, { headers: { authorization: 'Bearer other' } })).status).toBe(401);
      expect(await nearest(port, 'spacecraft')).toEqual({ data: { Get: { Thing: [{ name: 'planet' }] } } });
      for (const { address } of otherAddresses())
        await expect(fetch(`http://${address}:${port}/v1/meta`)).rejects.toThrow('fetch failed');
      expect(await run.containers()).toHaveLength(1);
      run.signal('SIGTERM');
      expect(await run.ended()).toBe(0);
      expect(await run.containers()).toEqual([]);
      await expect(fetch(meta)).rejects.toThrow('fetch failed');
    },
  );

  test('with a rootless engine, the command says that nearText is missing, and ends when its container is stopped', async () => {
    const args = ['--version', version, '--port', `${await freePorts(1)}`];
    const run = await start({ info: rootless, images }, ...args);
    expect(await run.says(/answers at/)).toContain('This server has no nearText');
    await run.docker('stop', ...(await run.containers()));
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain('Weaviate ended by itself');
    expect(await run.containers()).toEqual([]);
  });

  test('a signal before the server is ready leaves no container', async () => {
    const args = ['--version', version, '--port', `${await freePorts(1)}`];
    const run = await start({ info: linux, images }, ...args);
    await expect.poll(() => run.containers()).toHaveLength(1);
    run.signal('SIGTERM');
    expect(await run.ended()).toBe(0);
    expect(await run.containers()).toEqual([]);
    expect(run.output()).not.toContain('answers at');
  });
});

describe('npm run weaviate ends without a server', () => {
  const nothing = { info: linux, images: {} };

  test('if the image cannot be downloaded', async () => {
    const run = await start(nothing, '--version', '1.2.3', '--port', `${await freePorts(1)}`);
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain(
      [
        'Docker could not get semitechnologies/weaviate:1.2.3:',
        'Error response from daemon: manifest for semitechnologies/weaviate:1.2.3 not found: manifest unknown',
        'Check --version and the network, or do without Docker',
      ].join('\n'),
    );
  });

  test('after a signal during the download of the image', async () => {
    const run = await start({ ...nothing, pullHangs: true }, '--port', `${await freePorts(1)}`);
    await run.says(/Starting/);
    run.signal('SIGTERM');
    expect(await run.ended()).toBe(0);
  });

  test('if the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const run = await start(nothing, '--port', `${port}`);
    expect(await run.ended()).toBe(1);
    expect(run.output()).toBe(
      `Port ${port} is taken. End the program that listens there, or name another port with --port\n`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  test('if the data folder is a file', async () => {
    const run = await start(nothing, '--port', `${await freePorts(1)}`, '--data', import.meta.filename);
    expect(await run.ended()).toBe(1);
    expect(run.output()).toContain(`The data folder cannot be used: `);
    expect(run.output()).toContain('Name another folder with --data');
  });
});

function otherAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4');
}
