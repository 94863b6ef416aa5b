import {
  cellAt,
  DriverError,
  type Filter,
  filterOperators,
  type Match,
  type Session,
} from '@trestle/driver-kit';
import { startVectorNode, type VectorNode } from '@trestle/vector-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge, type OracleFilter } from '../real-weaviate/filter-oracle.ts';
import {
  filterFor,
  makeObjects,
  properties,
  Random,
  randomFilter,
  schemaOf,
} from '../real-weaviate/filter-world.ts';
import { call, connectWeaviate, weaviateRest } from './weaviate-target.ts';

const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20260728);
const fuzzCases = Number(process.env.TRESTLE_FUZZ_CASES ?? 300);

// Tests of real servers use the same oracle, because a filter must have the same meaning on the sample node.
describe('filters on the sample node', () => {
  const collection = 'Filters';
  const objects = makeObjects(120, new Random(seed));
  const world = { objects, properties, server: { hasNot: true, dropsStopwordsEverywhere: false } };
  let node: VectorNode;
  let session: Session;

  beforeAll(async () => {
    node = await startVectorNode({ seed: false });
    session = await connectWeaviate(node.port);
    await weaviateRest(node.port, 'POST', '/schema', schemaOf(collection));
    await weaviateRest(node.port, 'POST', '/batch/objects', {
      objects: objects.map(({ id, values }) => ({
        class: collection,
        id,
        properties: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
      })),
    });
  });

  afterAll(async () => {
    await session.close();
    await node.stop();
  });

  async function ask(filters: OracleFilter[], match: Match): Promise<Set<string> | string> {
    const request = { table: collection, filters: filters as Filter[], match, columns: ['uuid'] };
    try {
      const { rows } = await session.browse({ ...request, sort: [], limit: 1000, offset: 0 }, call);
      return new Set(Array.from({ length: rows.rowCount }, (_, row) => String(cellAt(rows, 0, row))));
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      return error.code === 'filter_unrunnable' ? 'refused' : `${error.code}: ${error.message}`;
    }
  }

  async function hold(filters: OracleFilter[], match: Match): Promise<boolean> {
    const verdict = judge(filters, match, world);
    const answer = 'refused' in verdict ? 'refused' : verdict.ids;
    expect({ filters, match, answer: await ask(filters, match) }).toEqual({ filters, match, answer });
    return answer !== 'refused';
  }

  const columns = ['uuid', ...properties.map(({ name }) => name)];

  test.each(columns)(
    'every operator on %s gives the rows or the refusal that the oracle expects',
    async (column) => {
      for (const operator of filterOperators) {
        const random = new Random(seed + 1);
        for (let index = 0; index < 8; index++) {
          await hold([filterFor(column, operator, random, objects)], 'all');
        }
      }
    },
  );

  test(`${fuzzCases} random filters give the rows or the refusals that the oracle expects`, {
    timeout: 300_000,
  }, async () => {
    const random = new Random(seed + 2);
    let ran = 0;
    for (let index = 0; index < fuzzCases; index++) {
      const filters = Array.from({ length: 1 + random.below(3) }, () => randomFilter(random, objects));
      if (await hold(filters, random.pick(['all', 'any'] as const))) ran++;
    }
    expect(ran).toBeGreaterThan(fuzzCases / 5);
  });
});
