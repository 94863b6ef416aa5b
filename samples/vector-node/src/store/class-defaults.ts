import { type ClassDefinition, kindOf, type PropertyDefinition } from '../definition.ts';

/** A definition as Weaviate returns it, with defaults filled in. */
export function withDefaults(given: ClassDefinition): ClassDefinition {
  const { vectorConfig, vectorizer, vectorIndexType, vectorIndexConfig, ...rest } = given;
  return {
    ...rest,
    class: capitalised(given.class),
    properties: given.properties?.map(propertyWithDefaults) ?? null,
    invertedIndexConfig: invertedIndex(given),
    multiTenancyConfig: {
      autoTenantActivation: given.multiTenancyConfig?.autoTenantActivation === true,
      autoTenantCreation: given.multiTenancyConfig?.autoTenantCreation === true,
      enabled: given.multiTenancyConfig?.enabled === true,
    },
    replicationConfig: { asyncEnabled: false, deletionStrategy: 'TimeBasedResolution', factor: 1 },
    shardingConfig: { actualCount: 1, desiredCount: 1, function: 'murmur3', key: '_id', strategy: 'hash' },
    ...(vectorConfig
      ? {
          vectorConfig: Object.fromEntries(
            Object.entries(vectorConfig).map(([name, one]) => [
              name,
              {
                vectorIndexConfig: { distance: 'cosine', ...one.vectorIndexConfig },
                vectorIndexType: one.vectorIndexType ?? 'hnsw',
                vectorizer: one.vectorizer ?? { none: {} },
              },
            ]),
          ),
        }
      : {
          vectorIndexConfig: { skip: false, distance: 'cosine', ...vectorIndexConfig },
          vectorIndexType: vectorIndexType ?? 'hnsw',
          vectorizer: vectorizer || 'none',
        }),
  };
}

export function propertyWithDefaults(given: PropertyDefinition): PropertyDefinition {
  // A request may leave out the name or the type. `checkProperty` then refuses the property.
  const name = given.name ?? '';
  const dataType = given.dataType ?? [];
  const { element } = kindOf({ dataType });
  const isText = element === 'text';
  return {
    ...given,
    name: uncapitalised(name),
    dataType: dataType.map((type) => type.replace(/^string(\[\])?$/, 'text$1')),
    indexFilterable: given.indexFilterable ?? true,
    indexRangeFilters: given.indexRangeFilters ?? false,
    indexSearchable: given.indexSearchable ?? isText,
    ...(isText && { tokenization: given.tokenization ?? 'word' }),
    ...(given.nestedProperties && { nestedProperties: given.nestedProperties.map(propertyWithDefaults) }),
  };
}

/** A flag that is false is left out, as in Weaviate. */
function invertedIndex({ invertedIndexConfig: given = {} }: ClassDefinition) {
  const flags = ['indexNullState', 'indexPropertyLength', 'indexTimestamps'] as const;
  return {
    bm25: { b: given.bm25?.b ?? 0.75, k1: given.bm25?.k1 ?? 1.2 },
    cleanupIntervalSeconds: 60,
    ...Object.fromEntries(flags.filter((flag) => given[flag] === true).map((flag) => [flag, true])),
    stopwords: {
      additions: given.stopwords?.additions ?? null,
      preset: given.stopwords?.preset ?? 'en',
      removals: given.stopwords?.removals ?? null,
    },
    usingBlockMaxWAND: true,
  };
}

export function uncapitalised(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
