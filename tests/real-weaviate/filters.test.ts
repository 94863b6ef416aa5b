import { randomUUID } from 'node:crypto';
import {
  cellAt,
  DriverError,
  type Filter,
  filterOperators,
  type Match,
  type Session,
  type TableDescription,
} from '@trestle/driver-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { judge, type OracleFilter } from './filter-oracle.ts';
import { filterFor, makeObjects, properties, Random, randomFilter, schemaOf } from './filter-world.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20260728);
const fuzzCases = Number(process.env.TRESTLE_FUZZ_CASES ?? 300);

interface Window {
  limit: number;
  offset: number;
}

const whole: Window = { limit: 1000, offset: 0 };
const cut = (ids: string[], { limit, offset }: Window) => ids.slice(offset, offset + limit);

describeOnWeaviate('filters', ({ version, port }) => {
  const collection = `Filters${randomUUID().slice(0, 8)}`;
  const objects = makeObjects(120, new Random(seed));
  const isNew = version !== '1.27.27';
  const world = { objects, properties, server: { hasNot: isNew, dropsStopwordsEverywhere: !isNew } };
  let session: Session;
  let description: TableDescription;

  beforeAll(async () => {
    session = await connect(port);
    await rest(port, 'POST', '/schema', schemaOf(collection));
    await rest(port, 'POST', '/batch/objects', {
      objects: objects.map(({ id, values }) => ({
        class: collection,
        id,
        properties: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
      })),
    });
    description = await session.describeTable(collection, call);
  });

  afterAll(async () => {
    await session.close();
    await rest(port, 'DELETE', `/schema/${collection}`);
  });

  /** The ids that came back, `refused`, or the text of another error. */
  async function ask(filters: OracleFilter[], match: Match, window: Window): Promise<string[] | string> {
    try {
      const request = { table: collection, filters: filters as Filter[], match, columns: ['uuid'] };
      const page = await session.browse({ ...request, sort: [], ...window }, call);
      return Array.from({ length: page.rows.rowCount }, (_, row) => String(cellAt(page.rows, 0, row)));
    } catch (error) {
      if (error instanceof DriverError)
        return error.code === 'filter_unrunnable' ? 'refused' : `${error.code}: ${error.message}`;
      throw error;
    }
  }

  /** Compares the driver's answer with the oracle's verdict. Returns false if driver and oracle refuse the filter. */
  async function hold(filters: OracleFilter[], match: Match, window: Window = whole): Promise<boolean> {
    const verdict = judge(filters, match, world);
    const answer = await ask(filters, match, window);
    const expected = 'refused' in verdict ? 'refused' : cut([...verdict.ids].sort(), window);
    expect({ filters, match, window, answer }).toEqual({ filters, match, window, answer: expected });
    return expected !== 'refused';
  }

  const matrix = ['uuid', ...properties.map(({ name }) => name)].flatMap((column) =>
    filterOperators.map((operator) => ({ column, operator })),
  );

  test.each(matrix)(
    '$column $operator: the driver returns the rows or the refusal that the oracle expects',
    async ({ column, operator }) => {
      const declared = description.columns
        .find((one) => one.name === column)
        ?.operators.find((one) => one.operator === operator);
      const random = new Random(seed + 1);
      const filters = Array.from({ length: 8 }, () => filterFor(column, operator, random, objects));
      const verdicts = filters.map((filter) => 'refused' in judge([filter], 'all', world));
      if (declared?.refusal) expect(verdicts).toEqual(filters.map(() => true));
      for (const filter of filters) await hold([filter], 'all');
    },
  );

  test.each(['word', 'lowercase', 'whitespace', 'field'])(
    'on %s text, a filter by a stop word beside a space finds the rows that the oracle expects, or is refused',
    async (tokenization) => {
      for (const column of [`text_${tokenization}`, `texts_${tokenization}`]) {
        await hold([{ column, operator: 'contains', value: ' the ' }], 'all');
        await hold([{ column, operator: 'starts_with', value: 'the ' }], 'all');
        await hold([{ column, operator: 'ends_with', value: ', the' }], 'all');
      }
    },
  );

  test('a filter by the first or the last date that the server can compare finds its row', async () => {
    const dates = [
      '1677-09-21T00:12:43.145224192Z',
      '2261-12-31T12:00:00Z',
      '2262-04-11T23:47:16.854775807Z',
    ];
    const edges = `${collection}Edges`;
    const properties = [{ name: 'at', dataType: ['date'] }];
    await rest(port, 'POST', '/schema', { class: edges, vectorizer: 'none', properties });
    onTestFinished(async () => void (await rest(port, 'DELETE', `/schema/${edges}`)));
    const rows = dates.map((at) => ({ class: edges, properties: { at } }));
    await rest(port, 'POST', '/batch/objects', { objects: rows });
    const count = (filter: Omit<Filter, 'column'>) =>
      session.count!({ table: edges, filters: [{ column: 'at', ...filter }], match: 'all' }, call);
    for (const value of [dates[0], '2261-12-31', dates[2]])
      expect([value, await count({ operator: 'equals', value: value! })]).toEqual([value, 1]);
    expect(await count({ operator: 'greater_than', value: dates[0]! })).toBe(2);
    expect(await count({ operator: 'less_than', value: dates[2]! })).toBe(2);
  });

  test(`${fuzzCases} random filters return the rows or the refusal that the oracle expects`, {
    timeout: 1_200_000,
  }, async () => {
    const random = new Random(seed + 2);
    let ran = 0;
    for (let index = 0; index < fuzzCases; index++) {
      const filters = Array.from({ length: 1 + random.below(3) }, () => randomFilter(random, objects));
      // Limit and offset are random, because the server cuts the results of some filters before it sorts them.
      const window = { limit: 1 + random.below(150), offset: random.below(20) };
      if (await hold(filters, random.pick(['all', 'any'] as const), window)) ran++;
    }
    expect(ran).toBeGreaterThan(fuzzCases / 5);
  });
});
