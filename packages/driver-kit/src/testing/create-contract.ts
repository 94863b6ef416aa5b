import { describe, expect, test } from 'vitest';
import { browseAll, call, type Fixture, failure, readRows } from './fixture.ts';
import { needs } from './needs.ts';

export function describeCreate(fixture: Fixture): void {
  describe('a table like another', () => {
    test('has the columns of the other and no rows, and needs a valid name that no table has', async () => {
      needs(fixture.session.createTable, 'the driver has no createTable');
      const table = await fixture.freshTable();
      // `freshTable` may replace the session.
      const { session, description } = fixture;
      const { definition, columns } = await session.describeTable(table, call());
      const name = `${table}Like`;
      await session.createTable!({ name, definition: definition! }, call());
      const made = await session.describeTable(name, call());
      expect(made.columns).toEqual(columns);
      expect(made.key).toEqual(description.key);
      expect(await readRows(session, browseAll(name))).toEqual([]);
      await failure(
        session.createTable!({ name, definition: definition! }, call()),
        'query_failed',
        'conflict',
      );
      await failure(
        session.createTable!({ name: '; x', definition: definition! }, call()),
        'invalid_argument',
      );
    });
  });
}
