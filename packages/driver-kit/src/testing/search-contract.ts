import { describe, expect, test } from 'vitest';
import type { Filter, Page, SearchMode, SearchRequest } from '../index.ts';
import { ascending, call, type Fixture, failure, ordinals, rowsOf, takes } from './fixture.ts';
import { needs } from './needs.ts';
import { save } from './save.ts';

/**
 * Tests the words and scores of keyword searches, and of hybrid searches with `alpha` 0, which ignore vectors. Filters
 * are tested in every search that the table offers, on rows with vectors where the search needs them.
 */
export function describeSearch(fixture: Fixture): void {
  describe('search', () => {
    test('a keyword search finds the rows that contain the word, best first', async () => {
      const page = await find({ mode: 'keyword' });
      expect(rowsOf(page.rows).map(({ title }) => title)).toEqual(['Mars', 'Mars', 'Mars']);
      expect(page.explanations).toBeUndefined();
      const scores = measures(page);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    test('a keyword search reports on request which words a row contains', async () => {
      const page = await find({ mode: 'keyword', explain: true });
      needs(page.explanations, 'the search gives no reasons');
      expect(page.explanations.map(({ terms }) => terms)).toMatchObject(
        Array(3).fill([{ term: expect.stringMatching(/^mars$/i), column: 'title', count: 1 }]),
      );
    });

    test('a hybrid search reports on request the shares that add up to the score', async () => {
      const page = await find({ mode: 'hybrid', alpha: 0, explain: true });
      needs(page.explanations, 'the search gives no reasons');
      const shares = page.explanations.map(
        ({ keyword, vector }) => (keyword?.share ?? 0) + (vector?.share ?? 0),
      );
      measures(page).forEach((score, row) => {
        expect(shares[row]).toBeCloseTo(score, 5);
      });
      expect(page.explanations).toHaveLength(3);
      for (const { terms, vector } of page.explanations) {
        expect(terms).toMatchObject([{ term: expect.stringMatching(/^mars$/i), column: 'title', count: 1 }]);
        expect(vector).toBeUndefined();
      }
    });

    test.each(modes)('%s finds the best row first, and a filter chooses among its rows', async (mode) => {
      const { session } = fixture;
      assertOffered(mode);
      needs(session.search, 'the driver has no search');
      needs(takes(fixture.description, 'ordinal', 'equals'), 'the filter equals does not run on ordinal');
      const { table, ...asked } = await searchable(mode);
      const search = (filters: Filter[], more: Partial<SearchRequest> = {}) =>
        session.search!({ table, mode, filters, match: 'all', limit: 100, ...asked, ...more }, call());
      const found = async (...given: Parameters<typeof search>) =>
        ascending(ordinals(rowsOf((await search(...given)).rows)));
      const page = await search([]);
      const best = ordinals(rowsOf(page.rows));
      expect(best.length).toBeGreaterThan(2);
      // The bars beside the rows rely on this: the best row is first, by the smallest distance or the highest score.
      const isDistance = page.rows.columns.some((column) => column.isDistance);
      expect(measures(page)).toEqual(
        measures(page).toSorted((one, other) => (isDistance ? one - other : other - one)),
      );
      const equals = (value: number): Filter => ({ column: 'ordinal', operator: 'equals', value });
      const [first, second, last] = [best[0]!, best[1]!, best.at(-1)!];
      expect(await found([equals(second)])).toEqual([second]);
      expect(await found([equals(first), equals(second)], { match: 'any' })).toEqual(
        ascending([first, second]),
      );
      expect(await found([equals(first), equals(second)])).toEqual([]);
      // The filter comes before the limit.
      expect(await found([equals(last)], { limit: 1 })).toEqual([last]);
      const unfit: Filter = { column: 'ordinal', operator: 'equals', value: 'abc' };
      await failure(search([unfit]), 'filter_unrunnable');
    });
  });

  /** A table of which a search finds at least three rows, and the rest of the request. */
  async function searchable(
    mode: SearchMode,
  ): Promise<Pick<SearchRequest, 'table'> & Partial<SearchRequest>> {
    const { session, description } = fixture;
    if (mode === 'keyword' || mode === 'near_text') return { table: fixture.table, text: 'Mars' };
    if (mode === 'hybrid') return { table: fixture.table, text: 'Mars', alpha: 0 };
    const vector = description.columns.find(
      ({ type, readOnly, insertable }) => type === 'vector' && (readOnly === undefined || insertable),
    );
    needs(vector && session.applyChanges, 'the driver stores no vectors');
    const table = await fixture.freshTable();
    const outcomes = await save(session, {
      table,
      changes: [0, 1, 2, 3].map((at) => ({
        kind: 'insert',
        id: String(at),
        values: { ordinal: 100 + at, title: `vector ${at}`, [vector.name]: [1, at] },
      })),
    });
    const [first] = Object.values(outcomes[0]?.key ?? {});
    return { table, ...(mode === 'near_vector' ? { vector: [1, 0] } : { objectId: String(first) }) };
  }

  /** Skips the test unless the driver and the table have the mode. */
  function assertOffered(mode: SearchMode): void {
    const support = fixture.description.searches?.modes.find((one) => one.mode === mode);
    needs(fixture.session.search, 'the driver has no search');
    needs(support, `the table has no search of the kind ${mode}`);
    needs(support.refusal === undefined, support.refusal ?? '');
  }

  /** Searches the sample for "Mars". */
  async function find(asked: Partial<SearchRequest> & { mode: SearchMode }): Promise<Page> {
    assertOffered(asked.mode);
    const { session, table } = fixture;
    return session.search!({ table, text: 'Mars', filters: [], match: 'all', limit: 5, ...asked }, call());
  }

  function measures({ rows }: Page): number[] {
    const name = rows.columns.find(({ isMeasure }) => isMeasure)?.name ?? '';
    return rowsOf(rows).map((row) => Number(row[name]));
  }
}

const modes: SearchMode[] = ['keyword', 'hybrid', 'near_text', 'near_vector', 'near_object'];
