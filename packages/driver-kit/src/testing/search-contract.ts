import { describe, expect, test } from 'vitest';
import type { Page, SearchMode, SearchRequest } from '../index.ts';
import { call, type Fixture, rowsOf } from './fixture.ts';

/**
 * Tests keyword searches, and hybrid searches with `alpha` 0, which ignore vectors. Other searches need vectors or a
 * model, and the database may have none.
 */
export function describeSearch(fixture: Fixture): void {
  describe('search', () => {
    test('a keyword search finds the rows that contain the word, best first', async () => {
      const page = await find({ mode: 'keyword' });
      if (!page) return;
      expect(rowsOf(page.rows).map(({ title }) => title)).toEqual(['Mars', 'Mars', 'Mars']);
      expect(page.explanations).toBeUndefined();
      const scores = measures(page);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    test('a keyword search reports on request which words a row contains', async () => {
      const page = await find({ mode: 'keyword', explain: true });
      if (!page?.explanations) return;
      expect(page.explanations.map(({ terms }) => terms)).toMatchObject(
        Array(3).fill([{ term: expect.stringMatching(/^mars$/i), column: 'title', count: 1 }]),
      );
    });

    test('a hybrid search reports on request the shares that add up to the score', async () => {
      const page = await find({ mode: 'hybrid', alpha: 0, explain: true });
      if (!page?.explanations) return;
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
  });

  /** Searches the sample for "Mars". Undefined if the driver or the table does not support the mode. */
  async function find(asked: Partial<SearchRequest> & { mode: SearchMode }): Promise<Page | undefined> {
    const { session, table, description } = fixture;
    const support = description.searches?.modes.find(({ mode }) => mode === asked.mode);
    if (!session.search || !support || support.refusal) return undefined;
    return session.search({ table, text: 'Mars', filters: [], match: 'all', limit: 5, ...asked }, call());
  }

  function measures({ rows }: Page): number[] {
    const name = rows.columns.find(({ isMeasure }) => isMeasure)?.name ?? '';
    return rowsOf(rows).map((row) => Number(row[name]));
  }
}
