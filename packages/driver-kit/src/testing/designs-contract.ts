import { describe, expect, test } from 'vitest';
import type { Act, ActEnd, Design, FoundColumn, Session, StepAnswer } from '../index.ts';
import { driverErrorDetails, isDriverError } from '../index.ts';
import type { Json } from '../values.ts';
import { call, type Fixture } from './fixture.ts';
import { needs } from './needs.ts';

const columns: FoundColumn[] = [
  { name: 'title', type: 'text' },
  { name: 'year', type: 'int' },
  { name: 'weight of it', type: 'number' },
];

export function describeDesigns(fixture: Fixture): void {
  describe('designs', () => {
    const tables = () => fixture.session.listTables(call());

    async function designed(name: string): Promise<Design> {
      const design = await fixture.session.readDesign!({ columns }, call());
      return { ...design, name };
    }

    async function made(name: string) {
      const act: Act = { kind: 'create', design: await designed(name) };
      expect(await runAct(fixture.session, act)).toEqual({ made: 'all', notes: [] });
    }

    async function drop(name: string) {
      const { session } = fixture;
      const text = (await tables()).find((one) => one.name === name)?.dropText;
      await session.run({ text: text!, ceiling: 'destroy', limit: 1, outbound: 'user' }, call());
      expect((await tables()).map((one) => one.name)).not.toContain(name);
    }

    test('every list of the form has items with a name, and every default has the type of its field', async () => {
      needs(fixture.session.designForm, 'the driver has no designs');
      const { parts, groups } = await fixture.session.designForm!(call());
      for (const { fields } of parts) expect(fields[0]?.id).toBe('name');
      const fields = [...groups.flatMap((group) => group.fields), ...parts.flatMap((part) => part.fields)];
      for (const field of fields)
        if (field.type === 'choice') expect(field.choices.map(({ value }) => value)).toContain(field.default);
    });

    test('a table for the columns of a file is made, has these columns, and is deleted', async () => {
      needs(fixture.session.nextStep, 'the driver has no designs');
      const name = freeName();
      const design = await designed(name);
      expect(
        Object.values(design.parts)
          .flat()
          .flatMap(({ from }) => from ?? []),
      ).toEqual(columns.map((column) => column.name));
      await made(name);
      const described = await fixture.session.describeTable(name, call());
      const named = Object.values(design.parts)
        .flat()
        .flatMap(({ from, fields }) => (from === undefined ? [] : [String(fields.name)]));
      expect(described.columns.map((column) => column.name)).toEqual(expect.arrayContaining(named));
      const types = named.map((one) => described.columns.find((column) => column.name === one)!.type);
      expect(types).toEqual(['text', 'int', 'number']);
      await drop(name);
    });

    test('a table that exists reads as a design whose plan has no step, and its name is taken', async () => {
      needs(fixture.session.planDesign, 'the driver has no designs');
      const { session } = fixture;
      const name = freeName();
      await made(name);
      const read = await session.readDesign!({ table: name }, call());
      const unchanged = await session.planDesign!({ design: read, table: name }, call());
      expect(unchanged).toMatchObject({ problems: [], steps: [], seen: expect.any(String) });
      const again = await session.planDesign!({ design: read }, call());
      expect(again.problems).toMatchObject([{ field: 'name' }]);
      expect(await runAct(session, { kind: 'create', design: read })).toMatchObject({ made: 'none' });
      const { definition } = await session.describeTable(name, call());
      const copy = await session.readDesign!({ definition: definition! }, call());
      const other = freeName();
      const { seen: _, ...plan } = await session.planDesign!({ design: { ...copy, name: other } }, call());
      expect(plan.problems).toEqual([]);
      expect(plan.steps[0]?.text).toContain(other);
      await drop(name);
    });

    test('an item is added to a table; an act whose table has changed meanwhile sends nothing', async () => {
      needs(fixture.session.nextStep, 'the driver has no designs');
      const { session } = fixture;
      const { parts } = await session.designForm!(call());
      const part = parts.find(({ add }) => add === 'now');
      needs(part, 'a table of this driver gets no new items');
      const name = freeName();
      await made(name);
      const design = await session.readDesign!({ table: name }, call());
      design.parts[part!.id]!.push({ fields: { name: 'added' } });
      const { seen, steps } = await session.planDesign!({ design, table: name }, call());
      expect(steps).toMatchObject([{ later: 'now', text: expect.any(String) }]);
      const act: Act = { kind: 'change', table: name, design, seen: seen! };
      expect(await runAct(session, act)).toEqual({ made: 'all', notes: [] });
      expect((await session.readDesign!({ table: name }, call())).parts[part!.id]!.at(-1)?.fields.name).toBe(
        'added',
      );
      expect(await runAct(session, act)).toMatchObject({ made: 'none', notes: [expect.any(String)] });
      await drop(name);
    });
  });
}

let count = 0;
function freeName(): string {
  count++;
  return `ContractDesign${process.pid}x${Math.random().toString(36).slice(2, 8)}${count}`;
}

/** Runs an act as the app does. */
async function runAct(session: Session, act: Act): Promise<ActEnd> {
  let state: Json = null;
  let answer: StepAnswer | undefined;
  for (;;) {
    const step = await session.nextStep!({ act, state, ...(answer && { answer }) }, call());
    if (step.kind === 'end') return step.ended;
    ({ state } = step);
    answer = undefined;
    if (step.kind === 'wait') continue;
    const request = { text: step.text, ceiling: 'destroy' as const, limit: 10, outbound: 'user' as const };
    answer = await session.run(request, call()).then(
      ({ results }) => ({
        documents: results.flatMap((one) => (one.kind === 'document' ? [one.document] : [])),
      }),
      (error: unknown) => {
        if (!isDriverError(error)) throw error;
        return { error: driverErrorDetails(error) };
      },
    );
  }
}
