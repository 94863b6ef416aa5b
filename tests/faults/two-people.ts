import type { Cell } from '@trestle/driver-kit';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import { expect } from 'vitest';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { Person } from './person.ts';
import { judge, type Rows, type Saved, type SharedTable } from './shared-table.ts';
import { openWindow } from './window-client.ts';

const seconds = Number(process.env.TRESTLE_TWO_PEOPLE_SECONDS ?? 3);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 1);
/** A slow machine also makes this many rounds. */
const fewestRounds = 25;
const fewestRows = 4;

export const twoPeopleTimeout = { timeout: 120_000 + seconds * 2_000 };

interface Options {
  /** The database compares and writes in one step, so two saves at the same time obey the same rules. */
  isAtomic: boolean;
}

/**
 * Two people with an app each edit the same few rows of a table at random. Most saves take turns, some run at the same
 * time. After each save the test reads the table itself: every change must be stored, or a conflict that shows what the
 * table holds. No change may replace a value that its author had not seen. Without `isAtomic`, two saves at the same time
 * may both be stored, and the test counts these rows.
 */
export async function proveTwoPeople(shared: SharedTable, { isAtomic }: Options): Promise<void> {
  const random = randomSource(seed);
  const apps = await Promise.all([startApp(), startApp()]);
  try {
    const people = await Promise.all(apps.map((app) => enter(app, shared, random)));
    const counts = await edit(people as [Person, Person], { shared, random, isAtomic });
    console.log(`${shared.connection.driver}, seed ${seed}: ${countsText(counts)}`);
  } finally {
    await Promise.all(apps.map((app) => app.close()));
  }
}

async function enter(app: TestApp, shared: SharedTable, random: RandomSource): Promise<Person> {
  await importConnections(app, [{ name: 'Shared', ...shared.connection }]);
  const saved = (await app.ask('connections.list')) as { id: string; name: string }[];
  const { id: connectionId } = saved.find(({ name }) => name === 'Shared')!;
  return new Person({ window: await openWindow(app), connectionId }, shared, random);
}

interface Counts {
  saves: number;
  stored: number;
  conflicts: number;
  /** Pairs of saves at the same time. */
  races: number;
  /** Rows that both saves of a race changed. */
  meetings: number;
  /** Of these, rows where both changes were stored though neither saver saw the other's. */
  overlapped: number;
}

interface Editing extends Options {
  shared: SharedTable;
  random: RandomSource;
}

async function edit(people: [Person, Person], { shared, random, isAtomic }: Editing): Promise<Counts> {
  const counts: Counts = { saves: 0, stored: 0, conflicts: 0, races: 0, meetings: 0, overlapped: 0 };
  let serial = 0;
  const value = (name: string): Cell =>
    shared.columns.find((column) => column.name === name)!.value(++serial);
  const newRow = () => ({
    [shared.keyColumn]: shared.newKey(++serial),
    ...Object.fromEntries(shared.columns.map(({ name }) => [name, value(name)])),
  });

  async function save(...savers: Person[]): Promise<void> {
    const before = await shared.readRaw();
    const changes = savers.map(({ staged }) => staged);
    const outcomes = await Promise.all(savers.map((person) => person.save()));
    const saves = changes.map((given, at): Saved => ({ changes: given, outcomes: outcomes[at]! }));
    const { overlapped, wrong } = judge(shared, { before, after: await shared.readRaw(), saves });
    counts.saves += savers.length;
    for (const { status } of outcomes.flat()) {
      if (status === 'applied') counts.stored++;
      if (status === 'conflict') counts.conflicts++;
    }
    if (savers.length > 1) {
      counts.races++;
      counts.meetings += meetings(saves);
    }
    counts.overlapped += overlapped.length;
    const mayOverlap = savers.length > 1 && !isAtomic;
    const problems = mayOverlap ? wrong : [...wrong, ...overlapped];
    expect(problems, `seed ${seed}, save ${counts.saves}`).toEqual([]);
  }

  const end = Date.now() + seconds * 1_000;
  for (let round = 0; round < fewestRounds || Date.now() < end; round++) {
    for (let step = 0; step < 10; step++) {
      const person = random.pick(people);
      if (random.below(4) === 0) await person.look();
      else person.edit(value);
    }
    await fill(await shared.readRaw(), people[0]);
    if (random.below(3) > 0) await save(random.pick(people));
    else await save(...people);
  }
  return counts;

  async function fill(rows: Rows, person: Person): Promise<void> {
    if (rows.size >= fewestRows) return;
    for (let row = rows.size; row < fewestRows; row++) person.add(newRow());
    await save(person);
    for (const one of people) await one.look();
  }
}

function meetings(saves: Saved[]): number {
  const [mine, theirs] = saves.map(({ changes }) => new Set(changes.map(({ id }) => id)));
  return [...mine!].filter((id) => theirs!.has(id)).length;
}

function countsText({ saves, stored, conflicts, races, meetings: met, overlapped }: Counts): string {
  return `${saves} saves, ${stored} changes stored, ${conflicts} conflicts; ${races} pairs of saves at the same time, with ${met} rows in both; both were stored unseen in ${overlapped} of them`;
}
