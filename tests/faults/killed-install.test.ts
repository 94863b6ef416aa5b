import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHome } from '../app/trestle.ts';

const kills = Number(process.env.TRESTLE_INSTALL_KILLS ?? 5);

/** Broken or stale folders of drivers. A start must find none. */
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
  // A download that was cut short waits for the next attempt.
  const stale = readdirSync(folder).filter((name) => name.startsWith('.') && !name.startsWith('.download-'));
  return [...broken, ...stale];
}

test(`an install killed at any moment leaves a driver or none (${kills} kills)`, async () => {
  const home = createHome();
  const whole = await time(() => home.json('plugins', 'install', 'weaviate'));
  const bytes = readFileSync(join(home.folder, 'plugins', 'weaviate', '0.1.0', 'driver.js'));
  let installed = 0;
  for (let kill = 0; kill < kills; kill++) {
    rmSync(join(home.folder, 'plugins'), { recursive: true, force: true });
    const child = home.launch(['plugins', 'install', 'weaviate']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * whole);
    await ended;
    clearTimeout(timer);
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

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
