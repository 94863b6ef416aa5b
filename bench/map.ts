import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unpackWire } from '@trestle/driver-kit';
import type { Browser, Page } from 'playwright-core';
import { principalComponents } from '../apps/ui/src/panels/vector-map/layout/pca.ts';
import { leaveTableOpen, withBrowser } from './chromium.ts';
import { goals } from './goals.ts';
import { dimensions, readBare, rows, table, type World, withMapWorld } from './map-world.ts';
import { type Benchmark, type Figure, median, timed } from './measure.ts';
import { neighbourPreservation } from './neighbour-preservation.ts';
import { amountOf, needProc } from './process-memory.ts';
import { startApp, weaviateConnection, withApp, withHome } from './trestle.ts';

const rounds = Number(process.env.TRESTLE_MAP_ROUNDS ?? 2);

/** The map of 50,000 vectors with 1,536 numbers in a real browser, compared with only reading the same rows. */
export const map: Benchmark = {
  name: 'map',
  run() {
    needProc();
    return withMapWorld((world) =>
      withBrowser((browser) =>
        withHome(async (home) => {
          const id = await weaviateConnection(home, world.server.port);
          await withApp(home, ({ link }) => leaveTableOpen(link, id, { table }));
          const app = await startApp(home);
          try {
            return await measure(world, browser, { home, link: app.link });
          } finally {
            await app.stop();
          }
        }),
      ),
    );
  },
};

async function measure(
  world: World,
  browser: Browser,
  { home, link }: { home: string; link: string },
): Promise<Figure[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(link);
  await page.getByRole('grid', { name: `Rows of ${table}` }).waitFor();
  const memory = await watchMemory(browser);
  const before = memory.now();
  let lastStart = 0;
  const taken = { bare: [] as number[], first: [] as number[], whole: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    taken.bare.push(await timed(() => readBare(world)));
    const button = round === 0 ? page.getByRole('button', { name: 'Map', exact: true }) : readAgain(page);
    const started = performance.now();
    lastStart = Date.now();
    await button.click();
    await page
      .getByText(/^(Reading [1-9]|Laying out)/)
      .first()
      .waitFor();
    await isDrawn(page);
    taken.first.push(performance.now() - started);
    await readAgain(page).waitFor({ timeout: 1_200_000 });
    taken.whole.push(performance.now() - started);
  }
  memory.stop();
  const frames = await frameTimes(page);
  const drawn = await keptPositions(home, lastStart);
  const again = await timed(async () => {
    await page.reload();
    await readAgain(page).waitFor({ timeout: 60_000 });
  });
  const kept = neighbourPreservation(world.vectors, dimensions, drawn);
  const flat = neighbourPreservation(world.vectors, dimensions, twoComponents(world.vectors));
  const size = `${rows.toLocaleString('en')} × ${dimensions.toLocaleString('en')}`;
  await page.close();
  return [
    {
      name: `map of ${size}, whole`,
      unit: 'ms',
      subject: taken.whole,
      baseline: taken.bare.map((bare) => bare * 1.5),
      against: '1.5 × rows read bare',
      goal: goals.wholeMap,
    },
    {
      name: 'map, first picture',
      unit: 'ms',
      subject: taken.first,
      baseline: taken.bare,
      against: 'rows read bare',
      goal: goals.firstPicture,
    },
    {
      name: 'map, opened again',
      unit: 'ms',
      subject: [again],
      baseline: taken.whole,
      against: 'drawn',
    },
    {
      name: 'map, most memory of the renderer',
      unit: 'MB',
      subject: [memory.most()],
      baseline: [before],
      against: 'before the map',
      goal: goals.mapMemory,
    },
    {
      name: 'map, 15 neighbours preserved',
      unit: '%',
      subject: [kept],
      baseline: [flat],
      against: 'two components of a PCA',
    },
    {
      name: 'map, frame while it is moved',
      unit: 'ms',
      subject: [median(frames)],
      baseline: [1000 / 60],
      against: 'a screen of 60 Hz',
    },
  ];
}

function readAgain(page: Page) {
  return page.getByRole('button', { name: 'Read again' });
}

/** Waits until the picture's accessible name has a number of rows. */
async function isDrawn(page: Page): Promise<void> {
  await page.getByRole('application', { name: /^Map of [1-9]/ }).waitFor({ timeout: 600_000 });
}

/** The positions of the map that the app stores, in the order of the rows' `number`. */
async function keptPositions(home: string, at: number): Promise<Float32Array> {
  const db = new DatabaseSync(join(home, 'trestle.db'), { readOnly: true });
  try {
    for (let tries = 0; tries < 300; tries++) {
      const kept = db.prepare('SELECT map, used_at FROM kept_maps').get();
      if (kept && Number(kept.used_at) >= at) return positionsByNumber(unpackWire(kept.map as Uint8Array));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('The app did not store the map');
  } finally {
    db.close();
  }
}

function positionsByNumber(map: unknown): Float32Array {
  const { columns, rows, positions } = map as {
    columns: string[];
    rows: { values: number[][] };
    positions: Float32Array;
  };
  const ordered = new Float32Array(positions.length);
  rows.values[columns.indexOf('number')]!.forEach((number, point) => {
    ordered[number * 2] = positions[point * 2]!;
    ordered[number * 2 + 1] = positions[point * 2 + 1]!;
  });
  return ordered;
}

function twoComponents(vectors: Float32Array): Float32Array {
  return principalComponents({ floats: vectors, rows, width: dimensions }, 2, 2000).floats;
}

/** Reads the memory of the renderers four times a second. */
async function watchMemory(browser: Browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: { id: number; type: string }[];
  };
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const now = () =>
    pids.reduce((sum, pid) => {
      try {
        return sum + amountOf(pid).pss;
      } catch {
        return sum;
      }
    }, 0);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, now());
  }, 250);
  return { now, most: () => most, stop: () => clearInterval(timer) };
}

/** Milliseconds between two frames while the arrow keys move the map. */
async function frameTimes(page: Page): Promise<number[]> {
  await page.getByRole('application', { name: /^Map of/ }).focus();
  return page.evaluate(async () => {
    const target = document.activeElement!;
    const times: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 90; frame++) {
      const key = frame % 2 === 0 ? 'ArrowLeft' : 'ArrowRight';
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.slice(10);
  });
}
