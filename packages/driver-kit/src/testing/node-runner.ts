/**
 * The installed app and the kit's npm package contain the contract suite, but not `vitest`. So the build replaces
 * `vitest` with this file, which has only the functions that the suite uses.
 */
import { after, before, describe as nodeDescribe, test as nodeTest } from 'node:test';
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const { expect } = chai;
export const beforeAll = before;
export const afterAll = after;

type Body<Item> = (item: Item) => unknown;

export const describe = Object.assign((name: string, body: () => void) => void nodeDescribe(name, body), {
  each:
    <Item>(items: readonly Item[]) =>
    (name: string, body: Body<Item>) => {
      for (const item of items) nodeDescribe(nameOf(name, item), () => void body(item));
    },
});

export const test = Object.assign(
  (name: string, body: () => unknown) => void nodeTest(name, async () => void (await body())),
  {
    each:
      <Item>(items: readonly Item[]) =>
      (name: string, body: (...values: never[]) => unknown) => {
        for (const item of items) {
          const values = (Array.isArray(item) ? item : [item]) as never[];
          nodeTest(nameOf(name, item), async () => void (await body(...values)));
        }
      },
  },
);

function nameOf(name: string, item: unknown): string {
  return name.replace('%s', String(Array.isArray(item) ? item[0] : item));
}
