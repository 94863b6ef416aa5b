/**
 * The installed app and the kit's npm package contain the contract suite, but not `vitest`. So the build replaces
 * `vitest` with this file, which has only the functions that the suite uses.
 */
import { after, before, describe as nodeDescribe, test as nodeTest, type TestContext } from 'node:test';
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

export const test = Object.assign((name: string, body: () => unknown) => run(name, body), {
  each:
    <Item>(items: readonly Item[]) =>
    (name: string, body: (...values: never[]) => unknown) => {
      for (const item of items) {
        const values = (Array.isArray(item) ? item : [item]) as never[];
        run(nameOf(name, item), () => body(...values));
      }
    },
});

/** The tests of a file run one after the other. */
let current: TestContext | undefined;

export const TestRunner = {
  getCurrentTest: () => ({
    context: {
      skip(reason: string): never {
        current?.skip(reason);
        throw skipped;
      },
    },
  }),
};

const skipped = Symbol('skipped');

function run(name: string, body: () => unknown): void {
  void nodeTest(name, async (context) => {
    current = context;
    try {
      await body();
    } catch (error) {
      // The context knows that the test is skipped. The throw only ended it.
      if (error !== skipped) throw error;
    }
  });
}

function nameOf(name: string, item: unknown): string {
  const values = Array.isArray(item) ? [...item] : [item];
  return name.replaceAll('%s', () => String(values.shift()));
}
