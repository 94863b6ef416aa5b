/** A collection's schema, as in `GET /v1/schema`. */
export interface ClassDefinition {
  class: string;
  description?: string;
  properties: PropertyDefinition[] | null;
  invertedIndexConfig?: InvertedIndexConfig;
  multiTenancyConfig?: { enabled?: boolean; autoTenantCreation?: boolean; autoTenantActivation?: boolean };
  vectorizer?: string;
  vectorIndexType?: string;
  vectorIndexConfig?: { distance?: string; [setting: string]: unknown };
  vectorConfig?: Record<string, VectorDefinition>;
  moduleConfig?: unknown;
  [setting: string]: unknown;
}

export interface InvertedIndexConfig {
  bm25?: { b?: number; k1?: number };
  indexNullState?: boolean;
  indexPropertyLength?: boolean;
  indexTimestamps?: boolean;
  stopwords?: { preset?: string; additions?: string[] | null; removals?: string[] | null };
  [setting: string]: unknown;
}

interface VectorDefinition {
  vectorizer: Record<string, { properties?: string[] } | null>;
  vectorIndexType?: string;
  vectorIndexConfig?: { distance?: string; [setting: string]: unknown };
}

export interface PropertyDefinition {
  name: string;
  dataType: string[];
  description?: string;
  tokenization?: string;
  indexFilterable?: boolean;
  indexSearchable?: boolean;
  indexRangeFilters?: boolean;
  nestedProperties?: PropertyDefinition[];
  moduleConfig?: Record<string, { skip?: boolean }>;
  [setting: string]: unknown;
}

export const primitiveTypes = [
  'text',
  'int',
  'number',
  'boolean',
  'date',
  'uuid',
  'geoCoordinates',
  'phoneNumber',
  'blob',
  'object',
] as const;

type PrimitiveType = (typeof primitiveTypes)[number];

interface PropertyKind {
  element: PrimitiveType | 'reference';
  isArray: boolean;
}

/** A capitalised type is the name of a collection. */
export function kindOf({ dataType }: Pick<PropertyDefinition, 'dataType'>): PropertyKind {
  const first = dataType[0] ?? '';
  if (/^[A-Z]/.test(first)) return { element: 'reference', isArray: true };
  const element = first.replace('[]', '').replace(/^string$/, 'text') as PrimitiveType;
  return { element, isArray: first.endsWith('[]') };
}

export function findProperty(
  definition: Pick<ClassDefinition, 'properties'>,
  name: string,
): PropertyDefinition | undefined {
  return definition.properties?.find((property) => property.name === name);
}

export function isMultiTenant(definition: ClassDefinition): boolean {
  return definition.multiTenancyConfig?.enabled === true;
}

/** The unnamed vector is called `default` here. A named vector may have this name too. */
export const unnamedVector = 'default';

export interface VectorSpace {
  name: string;
  vectorizer: string;
  distance: string;
}

export function vectorSpaces(definition: ClassDefinition): VectorSpace[] {
  if (!definition.vectorConfig) {
    return [
      {
        name: unnamedVector,
        vectorizer: definition.vectorizer ?? 'none',
        distance: definition.vectorIndexConfig?.distance ?? 'cosine',
      },
    ];
  }
  return Object.entries(definition.vectorConfig).map(([name, { vectorizer, vectorIndexConfig }]) => ({
    name,
    vectorizer: Object.keys(vectorizer)[0] ?? 'none',
    distance: vectorIndexConfig?.distance ?? 'cosine',
  }));
}
