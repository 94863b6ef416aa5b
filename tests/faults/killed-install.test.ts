import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHome } from '../app/trestle.ts';
import { ownRegistry, trust } from './own-registry.ts';
import { tally } from './tally.ts';

const kills = Number(process.env.TRESTLE_INSTALL_KILLS ?? 5);

/** Broken or stale driver folders. After a kill, the next command must remove them. */
function leftovers(home: string): string[] {
  const folder = join(home, 'plugins');
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const broken = versions.flatMap((id) =>
    readdirSync(join(folder, id)).filter((version) => {
      const files = readdirSync(join(folder, id, version)).sort();
      return files.join() !== '.origin.json,LICENSE,driver.js,manifest.json';
    }),
  );
  // An unfinished download is kept, so the next install can resume it.
  const stale = readdirSync(folder).filter((name) => name.startsWith('.') && !name.startsWith('.download-'));
  return [...broken, ...stale];
}

type Home = ReturnType<typeof createHome>;

/** Runs a command and kills it at a random moment of its usual duration. */
async function killed(home: Home, args: string[], needsMs: number, env = {}): Promise<void> {
  const child = home.launch(args, { env });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * needsMs);
  await ended;
  clearTimeout(timer);
  tally('kills of an install or an update', 1);
}

test(`an install killed at a random moment leaves a whole driver or no driver (${kills} kills)`, async () => {
  const home = createHome();
  const whole = await time(() => home.json('plugins', 'install', 'weaviate'));
  const bytes = readFileSync(join(home.folder, 'plugins', 'weaviate', '0.1.0', 'driver.js'));
  let installed = 0;
  for (let kill = 0; kill < kills; kill++) {
    rmSync(join(home.folder, 'plugins'), { recursive: true, force: true });
    await killed(home, ['plugins', 'install', 'weaviate'], whole);
    const drivers: { id: string }[] = await home.json('plugins', 'list');
    expect(leftovers(home.folder)).toEqual([]);
    if (!drivers.some(({ id }) => id === 'weaviate')) continue;
    installed++;
    expect(readFileSync(join(home.folder, 'plugins', 'weaviate', '0.1.0', 'driver.js'))).toEqual(bytes);
  }
  console.log(`${kills} kills: ${installed} came too late, ${kills - installed} left no driver`);
  await home.json('plugins', 'install', 'weaviate');
  expect(leftovers(home.folder)).toEqual([]);
}, 3_600_000);

test(`an update killed at a random moment leaves the old or the new version (${kills} kills)`, async () => {
  const home = createHome();
  const registry = await ownRegistry();
  const { env } = registry;
  const plugins = join(home.folder, 'plugins');
  const before = join(home.folder, 'plugins-before');
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await home.run(['plugins', ...args, '--json'], { env });
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  /** The installed version, by the name of its folder. The driver's last line must name the same version. */
  const versionOnDisk = (): string => {
    const [version = ''] = readdirSync(join(plugins, 'weaviate'));
    const lines = readFileSync(join(plugins, 'weaviate', version, 'driver.js'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.at(-1)).toBe(`// ${version}`);
    return version;
  };
  await registry.publish('0.1.1');
  await trust(home, env);
  await run('install', 'weaviate');
  cpSync(plugins, before, { recursive: true });
  await registry.publish('0.2.0');
  const whole = await time(() => run('update', 'weaviate'));
  expect(versionOnDisk()).toBe('0.2.0');
  let updated = 0;
  for (let kill = 0; kill < kills; kill++) {
    rmSync(plugins, { recursive: true, force: true });
    cpSync(before, plugins, { recursive: true });
    await killed(home, ['plugins', 'update', 'weaviate'], whole, env);
    const drivers: { id: string; version: string }[] = await run('list');
    const version = drivers.find(({ id }) => id === 'weaviate')?.version;
    expect(['0.1.1', '0.2.0']).toContain(version);
    expect([leftovers(home.folder), readdirSync(join(plugins, 'weaviate'))]).toEqual([[], [version]]);
    expect(versionOnDisk()).toBe(version);
    if (version === '0.2.0') updated++;
  }
  console.log(`${kills} kills: ${updated} came too late, ${kills - updated} left the old version`);
  await home.start(['--no-window'], { env });
  expect(await home.run(['connections', 'test', 'Sample: Weaviate'], { env })).toMatchObject({ code: 0 });
}, 3_600_000);

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
