import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FilterOperator, filterOperators } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { GridColumn } from '../../drivers/weaviate/src/columns.ts';
import { type FilterContext, refusalOf } from '../../drivers/weaviate/src/operators.ts';
import type { Collection, ElementType, Property, Tokenization } from '../../drivers/weaviate/src/schema.ts';
import { matchingNote } from '../../drivers/weaviate/src/tokens.ts';

/**
 * These tests build the tables of docs/filters.md from the driver's rules. If a table of the page differs, the failure
 * shows the table to write.
 */
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'filters.md'), 'utf8');

test('the table of operators and types agrees with the driver', () => {
  const kinds: [string, GridColumn][] = [
    ['id', { name: 'uuid', type: 'uuid', nativeType: 'uuid', source: { kind: 'id' } }],
    ['text', columnOf('text')],
    ['text[]', columnOf('text', { isArray: true })],
    ['int, number, date', columnOf('int')],
    ['int[], number[], date[]', columnOf('int', { isArray: true })],
    ['boolean, uuid', columnOf('boolean')],
    ['boolean[], uuid[]', columnOf('boolean', { isArray: true })],
  ];
  const rows = filterOperators.map((operator) => [
    label(operator),
    ...kinds.map(([, column]) => (refusalOf(operator, column, whole) === null ? 'yes' : '')),
    needs(operator),
  ]);
  expect(tableAfter('## Operators')).toEqual(table(['', ...kinds.map(([name]) => name), 'needs'], rows));
  for (const type of ['number', 'date'] as const) expectSame(type, 'int');
  expectSame('uuid', 'boolean');
});

test('the table of types without filters agrees with the driver', () => {
  const types: ElementType[] = [
    'geoCoordinates',
    'phoneNumber',
    'blob',
    'blobHash',
    'object',
    'reference',
    'unknown',
  ];
  const vector: GridColumn = {
    name: 'vector',
    type: 'vector',
    nativeType: 'vector',
    source: { kind: 'vector', name: null, vectorizer: null },
  };
  const rows = [
    ...types.map((type) => [type, refusalOf('equals', columnOf(type), whole) ?? 'runs']),
    ['vector', refusalOf('equals', vector, whole) ?? 'runs'],
  ];
  expect(tableAfter('## Types that cannot be filtered')).toEqual(table(['type', 'the message'], rows));
});

test('the table of token rules agrees with the driver', () => {
  const operators: FilterOperator[] = ['equals', 'contains', 'starts_with', 'ends_with'];
  const names: Tokenization[] = ['word', 'lowercase', 'whitespace', 'field', 'trigram'];
  const rows = names.map((name) => [
    `\`${name}\``,
    ...operators.map((operator) => {
      const refusal = refusalOf(operator, columnOf('text', { tokenization: name }), whole);
      return refusal === null ? (matchingNote(name, operator) ?? '') : 'not possible';
    }),
  ]);
  expect(tableAfter('## Text is matched by tokens')).toEqual(table(['', ...operators.map(label)], rows));
});

/** The index, the setting or the server version that the operator needs. */
function needs(operator: FilterOperator): string {
  const text = columnOf('text');
  const bare = columnOf('text', { filterable: false, searchable: false, rangeable: false });
  const runs = (column: GridColumn, context: FilterContext) => refusalOf(operator, column, context) === null;
  if (!runs(text, whole)) return refusalOf(operator, columnOf('int'), whole) === null ? 'an index' : '';
  return [
    ...(runs(bare, whole) ? [] : ['an index']),
    ...(runs(text, { ...whole, collection: { ...collection, indexesNulls: false } })
      ? []
      : ['indexNullState']),
    ...(runs(text, { ...whole, collection: { ...collection, indexesLengths: false } })
      ? []
      : ['indexPropertyLength']),
    ...(runs(text, { ...whole, hasNot: false }) ? [] : ['Weaviate 1.33']),
  ].join(', ');
}

function expectSame(type: ElementType, as: ElementType): void {
  for (const operator of filterOperators) {
    for (const isArray of [false, true]) {
      const [one, other] = [type, as].map((name) => refusalOf(operator, columnOf(name, { isArray }), whole));
      expect([type, operator, one === null]).toEqual([type, operator, other === null]);
    }
  }
}

const collection: Collection = {
  name: 'Any',
  description: '',
  properties: [],
  vectors: [],
  indexesNulls: true,
  indexesLengths: true,
  multiTenant: false,
  stopwords: new Set(),
  definition: {},
};

const whole: FilterContext = { collection, hasNot: true, hasSearchOperator: true };

function columnOf(elementType: ElementType, more: Partial<Property> = {}): GridColumn {
  const property: Property = {
    name: 'any',
    nativeType: elementType,
    elementType,
    isArray: false,
    references: [],
    tokenization: elementType === 'text' ? 'word' : null,
    filterable: true,
    searchable: elementType === 'text',
    rangeable: false,
    nested: [],
    description: '',
    ...more,
  };
  return { name: 'any', type: 'json', nativeType: elementType, source: { kind: 'property', property } };
}

function label(operator: FilterOperator): string {
  return operator.replaceAll('_', ' ').replace('null', 'NULL').replace('regex', 'REGEX');
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
  return [line(heads), `|${'-|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function tableAfter(heading: string): string {
  const section = page.split(`${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
}
