import type { Json, Partition, StructureSection, TableStructure } from '@trestle/driver-kit';
import type { Collection, Property } from './schema.ts';
import type { Definition } from './structure-facts.ts';
import { facts, member } from './structure-facts.ts';
import { splitWords } from './tokens.ts';
import { vectorSections } from './vector-structure.ts';

/** The definition of a collection in words, and the definition itself. */
export function structureOf(collection: Collection, tenants: TenantState[]): TableStructure {
  const definition = collection.definition as Definition;
  return {
    sections: [
      propertiesOf(collection.properties),
      indexesOf(collection, definition),
      ...vectorSections(collection, definition),
      replicationOf(definition),
      shardingOf(collection, definition),
      ...tenancyOf(collection, definition, tenants),
      { title: 'Raw definition', kind: 'code', text: JSON.stringify(definition, null, 2) },
    ],
  };
}

export interface TenantState extends Partition {
  /** The server's word, such as HOT, COLD or FROZEN. */
  state: string;
}

function propertiesOf(properties: Property[]): StructureSection {
  return {
    title: 'Properties',
    kind: 'table',
    columns: ['Name', 'Type', 'How text is split', 'Filterable', 'Searchable', 'Range', 'Description'],
    rows: properties.flatMap((property) => propertyRows(property, '')),
  };
}

function propertyRows(property: Property, path: string): (string | boolean)[][] {
  const { nativeType, elementType, tokenization, filterable, searchable, rangeable, description } = property;
  const name = `${path}${property.name}`;
  const type = elementType === 'reference' ? `→ ${nativeType}` : nativeType;
  const row = [name, type, tokenization ? splitWords(tokenization) : '', filterable, searchable, rangeable];
  return [[...row, description], ...property.nested.flatMap((inner) => propertyRows(inner, `${name}.`))];
}

function indexesOf(collection: Collection, definition: Definition): StructureSection {
  const { indexesNulls, indexesLengths } = collection;
  const config = member(definition, 'invertedIndexConfig');
  const { k1, b } = member(config, 'bm25');
  const { preset, additions, removals } = member(config, 'stopwords');
  const words = (list: Json | undefined) =>
    Array.isArray(list) && list.length > 0 ? list.join(', ') : undefined;
  return facts('Indexing', [
    [
      'NULL (indexNullState)',
      indexesNulls ? 'Yes: the filter "is NULL" works' : 'No: the filter "is NULL" does not work',
    ],
    [
      'Lengths (indexPropertyLength)',
      indexesLengths ? 'Yes: the filter "is empty" works' : 'No: the filter "is empty" does not work',
    ],
    ['Timestamps (indexTimestamps)', config.indexTimestamps === true ? 'Yes' : 'No'],
    // The server leaves out a number that is 0.
    ['Keyword ranking', k1 === undefined && b === undefined ? undefined : `BM25, k1 ${k1 ?? 0}, b ${b ?? 0}`],
    ['Stop words', preset === 'none' ? 'None' : preset === 'en' ? 'English' : text(preset)],
    ['More stop words', words(additions)],
    ['Not stop words', words(removals)],
  ]);
}

function replicationOf(definition: Definition): StructureSection {
  const { factor, asyncEnabled, deletionStrategy } = member(definition, 'replicationConfig');
  const copies = typeof factor === 'number' ? factor : 1;
  return facts('Replication', [
    ['Copies', copies === 1 ? '1: no other node has the data' : String(copies)],
    ['Repair in the background', asyncEnabled === true ? 'Yes' : 'No'],
    ['Deletions', text(deletionStrategy)],
  ]);
}

function shardingOf(collection: Collection, definition: Definition): StructureSection {
  if (collection.multiTenant) return facts('Sharding', [['Shards', 'One for each tenant']]);
  const { desiredCount, actualCount, key, strategy, function: hash } = member(definition, 'shardingConfig');
  return facts('Sharding', [
    ['Shards', text(actualCount ?? desiredCount) ?? '1'],
    ['By', [key, strategy, hash].filter((one) => typeof one === 'string').join(', ') || undefined],
  ]);
}

function tenancyOf(
  { multiTenant }: Collection,
  definition: Definition,
  tenants: TenantState[],
): StructureSection[] {
  const { autoTenantCreation, autoTenantActivation } = member(definition, 'multiTenancyConfig');
  if (!multiTenant) return [facts('Multi-tenancy', [['Tenants', 'No: all objects are together']])];
  const states = Map.groupBy(tenants, ({ state }) => stateWord(state));
  const count = [...states].map(([state, list]) => `${list.length.toLocaleString('en')} ${state}`).join(', ');
  return [
    facts('Multi-tenancy', [
      ['Tenants', tenants.length === 0 ? 'None yet' : count],
      ['Created when first written to', autoTenantCreation === true ? 'Yes' : 'No'],
      ['Activated when first used', autoTenantActivation === true ? 'Yes' : 'No'],
    ]),
    {
      title: 'Tenants',
      kind: 'table',
      aside: true,
      columns: ['Name', 'State'],
      rows: tenants.map(({ name, state }) => [name, stateWord(state)]),
    },
  ];
}

export function stateWord(state: string): string {
  const words: Record<string, string> = {
    HOT: 'hot',
    ACTIVE: 'hot',
    COLD: 'cold',
    INACTIVE: 'cold',
    FROZEN: 'offloaded',
    OFFLOADED: 'offloaded',
  };
  return words[state] ?? state.toLowerCase();
}

function text(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
