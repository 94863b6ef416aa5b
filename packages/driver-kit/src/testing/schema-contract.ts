import { describe, expect, test } from 'vitest';
import { optionalMethods } from '../index.ts';
import { manifestSchema } from '../manifest.ts';
import { call, type Fixture, failure } from './fixture.ts';
import { needs } from './needs.ts';
import type { ContractTarget } from './target.ts';

export function describeSchema(fixture: Fixture, target: ContractTarget): void {
  describe('schema', () => {
    test('the manifest is valid', () => {
      expect(manifestSchema.parse(target.manifest)).toEqual(target.manifest);
    });

    test('the session has the product and the version of the server', () => {
      expect(fixture.session.server).toEqual({ product: expect.any(String), version: expect.any(String) });
    });

    test('the driver has the optional methods that its target declares, and no others', () => {
      const has = optionalMethods.filter((method) => typeof fixture.session[method] === 'function');
      expect([...has].sort()).toEqual([...target.has].sort());
    });

    test('the list of tables holds the sample', async () => {
      const tables = await fixture.session.listTables(call());
      const own = tables.find((table) => table.name === fixture.table);
      expect(own?.kind).toMatch(/^(table|collection)$/);
      expect(new Set(tables.map((table) => table.name)).size).toBe(tables.length);
    });

    test('the description holds every column once, with its type', () => {
      const { columns } = fixture.description;
      expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length);
      const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
      const wanted = Object.fromEntries(fixture.spec.columns.map((column) => [column.name, column.type]));
      expect(types).toMatchObject(wanted);
    });

    test('the key is made of columns that are marked as key', () => {
      const { columns, key } = fixture.description;
      expect(key.length).toBeGreaterThan(0);
      expect([...key].sort()).toEqual(
        columns
          .filter((column) => column.inKey)
          .map((column) => column.name)
          .sort(),
      );
    });

    test('every column lists every operator of the manifest, once', () => {
      for (const column of fixture.description.columns) {
        expect(column.operators.map((entry) => entry.operator).sort(), column.name).toEqual(
          [...target.manifest.operators].sort(),
        );
        for (const entry of column.operators) expect(entry.refusal, column.name).not.toBe('');
      }
    });

    test('describeTables returns tables up to its limit, and describes the sample like describeTable', async () => {
      const describeTables = fixture.session.describeTables?.bind(fixture.session);
      needs(describeTables, 'the driver has no describeTables');
      const names = (await fixture.session.listTables(call())).map(({ name }) => name);
      const all = await describeTables({ limit: names.length }, call());
      expect(all.tables.map(({ name }) => name)).toEqual(names);
      expect(all.total).toBe(names.length);
      expect(all.tables.find(({ name }) => name === fixture.table)).toEqual(fixture.description);
      const first = await describeTables({ limit: 1 }, call());
      expect(first).toEqual({ tables: all.tables.slice(0, 1), total: names.length });
    });

    test('the structure names every column, and no row of its tables lacks a cell', async () => {
      const describeStructure = fixture.session.describeStructure?.bind(fixture.session);
      needs(describeStructure, 'the driver has no describeStructure');
      const { sections } = await describeStructure(fixture.table, call());
      const tables = sections.filter((section) => section.kind === 'table');
      const named = new Set(tables.flatMap(({ rows }) => rows.map(([first]) => first)));
      for (const { name } of fixture.spec.columns) expect(named).toContain(name);
      for (const { title, columns, rows } of tables)
        for (const row of rows) expect(row, title).toHaveLength(columns.length);
      expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
      expect(sections.some((section) => section.kind === 'code' && section.text !== '')).toBe(true);
      await failure(describeStructure('NoSuchTable', call()), 'not_found');
    });

    test('an unknown table is not found', async () => {
      await failure(fixture.session.describeTable('NoSuchTable', call()), 'not_found');
    });

    test('the health check passes', async () => {
      expect(await fixture.session.health(call())).toEqual(expect.any(Object));
    });

    test('the editor schema has the language of the manifest, and contains the sample', async () => {
      const schema = await fixture.session.editorSchema?.(call());
      needs(schema, 'the driver has no editorSchema');
      expect(schema.language).toBe(target.manifest.editor.language);
      if (schema.language === 'sql') expect(schema.tables[fixture.table]).toContain('ordinal');
      else expect(schema.sdl).toContain(fixture.table);
    });

    test('each request that the editor offers has a method, a path and a summary, and its body is JSON', async () => {
      const schema = await fixture.session.editorSchema?.(call());
      needs(schema?.language === 'graphql', "the editor's language is not GraphQL");
      needs(schema.requests, 'the editor completes no requests');
      for (const { method, path, summary, body } of schema.requests.paths) {
        expect([method, path, summary]).toEqual([
          expect.stringMatching(/^[A-Z]+$/),
          expect.stringMatching(/^\/\S*$/),
          expect.stringMatching(/\S/),
        ]);
        if (body !== undefined) JSON.parse(body);
      }
      // The offered request that reads one table runs as a statement.
      const read = schema.requests.paths.find(
        ({ method, path }) => method === 'GET' && path.endsWith('/{table}'),
      );
      needs(read, 'the editor completes no request that reads');
      const text = `${read.method} ${read.path.replace('{table}', fixture.table)}`;
      const { results } = await fixture.session.run({ text, ceiling: 'read', limit: 10 }, call());
      expect(results).toHaveLength(1);
    });
  });
}
