import { afterAll, beforeAll, describe } from 'vitest';
import { describeAggregates } from './aggregate-contract.ts';
import { describeChanges } from './changes-contract.ts';
import { checkedSession } from './checked-session.ts';
import { describeConflicts } from './conflicts-contract.ts';
import { describeCreate } from './create-contract.ts';
import { describeDesigns } from './designs-contract.ts';
import { describeExport } from './export-contract.ts';
import { describeFilters } from './filters-contract.ts';
import { call, type Fixture } from './fixture.ts';
import { describeImport } from './import-contract.ts';
import { describeLifecycle } from './lifecycle-contract.ts';
import { describePages } from './pages-contract.ts';
import { describeRun } from './run-contract.ts';
import { sampleTable } from './sample.ts';
import { describeSchema } from './schema-contract.ts';
import { describeSearch } from './search-contract.ts';
import type { ContractDatabase, ContractTarget } from './target.ts';
import { describeValues } from './values-contract.ts';

export { compareCodePoints } from '../index.ts';
export type { AuthorTarget } from './author-target.ts';
export { directDial, noNetwork } from './dial.ts';
export { matches } from './oracle.ts';
export { follow, save } from './save.ts';
export type { ContractDatabase, ContractQueries, ContractTarget, TableSpec } from './target.ts';

/**
 * The suite that every driver must pass. Its expectations follow from the driver's own declarations. An operator
 * that `describeTable` offers finds exactly the right rows, and any other operator is refused. A test that does not
 * apply, for example because the driver lacks an optional method, is skipped, and names the reason.
 */
export function describeDriverContract(name: string, target: ContractTarget): void {
  describe(`driver contract: ${name}`, () => {
    const fixture = {} as Fixture;
    let tables = 0;

    beforeAll(async () => {
      fixture.target = target;
      fixture.database = checkedDatabase(await target.open());
      fixture.spec = sampleTable(target, 'ContractRows');
      fixture.table = await fixture.database.createTable(fixture.spec);
      fixture.session = await fixture.database.connect();
      fixture.description = await fixture.session.describeTable(fixture.table, call());
      fixture.createTable = async (spec) => {
        const table = await fixture.database.createTable(spec);
        if (target.readsTablesOnce) {
          await fixture.session.close();
          fixture.session = await fixture.database.connect();
        }
        return table;
      };
      fixture.freshTable = () => {
        tables++;
        return fixture.createTable({ ...fixture.spec, name: `ContractRows${tables}` });
      };
    });

    afterAll(async () => {
      await fixture.session?.close();
      await fixture.database?.close();
    });

    describeSchema(fixture, target);
    describePages(fixture);
    describeFilters(fixture, target);
    describeAggregates(fixture, target);
    describeSearch(fixture);
    describeChanges(fixture);
    describeConflicts(fixture, target);
    describeImport(fixture);
    describeCreate(fixture);
    describeDesigns(fixture);
    describeValues(fixture, target);
    describeRun(fixture, target);
    describeExport(fixture);
    describeLifecycle(fixture, target);
  });
}

function checkedDatabase(database: ContractDatabase): ContractDatabase {
  return {
    connect: async () => checkedSession(await database.connect()),
    createTable: (spec) => database.createTable(spec),
    close: () => database.close(),
  };
}
