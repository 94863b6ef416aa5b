import { expect } from 'vitest';
import { choose, press } from './browser.ts';
import { sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';

const topics = ['river', 'engine', 'violin'];

/** The direction depends on the topic of the row, with a small deviation for each row. */
function vectorOf(index: number): number[] {
  const topic = index % topics.length;
  return Array.from({ length: 8 }, (_, at) =>
    at === topic ? 1 : 0.15 * Math.sin(index * 1.7 + at * 2.3 + topic),
  );
}

for (const form of ['JSON lists', 'float32 blobs'] as const) {
  sharedJourney(`the map of vectors as ${form} in SQLite shows a row's true neighbours`, async (at) => {
    const { page } = at;
    await openOwnTable(at, 'notes', (db) => {
      db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, topic TEXT, embedding)');
      const insert = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?)');
      for (let index = 0; index < 240; index++) {
        const vector = vectorOf(index);
        const stored =
          form === 'JSON lists' ? JSON.stringify(vector) : new Uint8Array(Float32Array.from(vector).buffer);
        const topic = topics[index % topics.length]!;
        insert.run(index + 1, `About ${topic} ${index}`, topic, index % 60 === 59 ? null : stored);
      }
    });
    if (form === 'JSON lists')
      await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    else {
      await page.getByRole('button', { name: 'Table notes' }).focus();
      await page.keyboard.press('Shift+F10');
      await choose(page.getByRole('menuitem', { name: 'Map' }));
    }
    await page.getByText('236 points').waitFor();
    await page.getByText('4 rows have no vector').waitFor();
    const map = page.getByRole('application', { name: /^Map of 236 rows of notes by embedding/ });
    await press(page.getByRole('combobox', { name: 'Colour by' }), { back: true });
    await choose(page.getByRole('option', { name: 'Colour: topic' }));
    await page.getByRole('button', { name: /^violin/ }).waitFor();

    await map.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: /^Row About/ });
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    const nearest = inspector.getByRole('list', { name: 'Nearest rows' }).getByRole('button');
    await nearest.nth(7).waitFor();
    // The neighbours have the row's own topic. They are sorted by distance, nearest first.
    const topic = /About (\w+)/.exec((await card.getByRole('heading').textContent()) ?? '')?.[1];
    const shown = await nearest.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('title') ?? ''),
    );
    for (const title of shown) expect(title).toContain(`Open About ${topic}`);
    const distances = shown.map((title) => Number(Number(/distance (\S+)$/.exec(title)![1]).toPrecision(3)));
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(distances).toEqual(exactDistances((await card.getByRole('heading').textContent()) ?? ''));
    await inspector.getByText('topic', { exact: true }).waitFor();
  });
}

/** The distances from this row to its eight nearest rows, computed from the vectors. */
function exactDistances(title: string): number[] {
  const own = Number(/\d+$/.exec(title)?.[0]);
  const from = vectorOf(own).map(Math.fround);
  const length = (vector: number[]) => Math.hypot(...vector);
  return Array.from({ length: 240 }, (_, index) => index)
    .filter((index) => index !== own && index % 60 !== 59)
    .map((index) => {
      const vector = vectorOf(index).map(Math.fround);
      const dot = vector.reduce((sum, value, at) => sum + value * from[at]!, 0);
      return 1 - dot / (length(vector) * length(from));
    })
    .sort((a, b) => a - b)
    .slice(0, 8)
    .map((distance) => Number(distance.toPrecision(3)));
}
