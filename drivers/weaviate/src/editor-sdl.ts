import type { Collection, ElementType, Property } from './schema.ts';

/**
 * The GraphQL schema of the collections, for the editor's completion and lint. It is made from the schema over REST: a
 * server without GraphQL has no introspection, and introspection counts as a use of GraphQL. Collections begin with a
 * capital letter, so our own types do not. A scalar takes any value, so lint does not judge values.
 */
export function editorSdl(collections: Collection[]): string {
  const shown = collections.filter(({ name }) => isName(name));
  if (shown.length === 0) return '';
  const names = new Set(shown.map(({ name }) => name));
  return [
    common,
    `type GetObjectsObj {\n${shown.map(({ name }) => `  ${name}(${getArguments}): [${name}]`).join('\n')}\n}`,
    `type AggregateObjectsObj {\n${shown.map(({ name }) => `  ${name}(${aggregateArguments}): [aggregate_${name}]`).join('\n')}\n}`,
    ...shown.flatMap((one) => typesOf(one, names)),
  ].join('\n\n');
}

/** GraphQL reserves names with two underscores in front. */
function isName(name: string): boolean {
  return /^(?!__)[_A-Za-z]\w*$/.test(name);
}

const near = 'certainty: Float distance: Float targetVectors: [String] targets: targets';

const search = [
  'nearVector: nearVector nearObject: nearObject nearText: nearText hybrid: hybrid',
  ...['image', 'audio', 'video', 'depth', 'thermal'].map(
    (medium) => `near${medium[0]!.toUpperCase()}${medium.slice(1)}: near_${medium}`,
  ),
  'nearIMU: near_imu',
].join(' ');

const getArguments = `where: where limit: Int offset: Int after: String autocut: Int sort: [sort] tenant: String consistencyLevel: consistencyLevel groupBy: groupBy bm25: bm25 ask: value group: value ${search}`;
const aggregateArguments = `where: where limit: Int objectLimit: Int groupBy: [String] tenant: String ${search}`;

const common = `
schema { query: WeaviateObj }
type WeaviateObj { Get: GetObjectsObj Aggregate: AggregateObjectsObj Explore(nearVector: nearVector nearText: nearText nearObject: nearObject limit: Int offset: Int): [explored] }
type explored { beacon: String className: String certainty: Float distance: Float }
scalar value
enum operator { And Or Not Equal NotEqual GreaterThan GreaterThanEqual LessThan LessThanEqual Like IsNull ContainsAny ContainsAll ContainsNone WithinGeoRange }
enum order { asc desc }
enum consistencyLevel { ONE QUORUM ALL }
enum combinationMethod { minimum average sum manualWeights relativeScore }
enum fusionType { rankedFusion relativeScoreFusion }
enum words { And Or }
input where { operator: operator path: [String] operands: [where] valueText: value valueString: value valueInt: value valueNumber: value valueBoolean: value valueDate: value valueGeoRange: geoRange }
input geoRange { geoCoordinates: geoPoint! distance: geoDistance! }
input geoPoint { latitude: Float! longitude: Float! }
input geoDistance { max: Float! }
input sort { path: [String] order: order }
input targets { targetVectors: [String] combinationMethod: combinationMethod weights: value }
input groupBy { path: [String] groups: Int objectsPerGroup: Int }
input nearVector { vector: value vectorPerTarget: value ${near} }
input nearObject { id: String beacon: String ${near} }
input nearText { concepts: [String] moveTo: move moveAwayFrom: move autocorrect: Boolean ${near} }
input move { concepts: [String] force: Float objects: [moveObject] }
input moveObject { id: String beacon: String }
${['image', 'audio', 'video', 'depth', 'thermal', 'imu'].map((medium) => `input near_${medium} { ${medium}: String ${near} }`).join('\n')}
input searchOperator { operator: words minimumOrTokensMatch: Int }
input bm25 { query: String properties: [String] searchOperator: searchOperator }
input hybrid { query: String alpha: Float vector: value properties: [String] fusionType: fusionType maxVectorDistance: Float targetVectors: [String] targets: targets bm25SearchOperator: searchOperator searches: [innerSearch] }
input innerSearch { nearText: nearText nearVector: nearVector sparseSearch: value }
type geo { latitude: Float longitude: Float }
type phone { input: String defaultCountry: String internationalFormatted: String countryCode: Int national: Int nationalFormatted: String valid: Boolean }
type reranked { score: Float }
type generated { singleResult: String groupedResult: String error: String }
type groupedBy { value: String path: [String] }
type counted { count: Int }
type occurrence { value: String occurs: Int }
type aggregate_number { count: Int type: String sum: Float mean: Float mode: Float median: Float maximum: Float minimum: Float }
type aggregate_text { count: Int type: String topOccurrences(limit: Int): [occurrence] }
type aggregate_boolean { count: Int type: String totalTrue: Int totalFalse: Int percentageTrue: Float percentageFalse: Float }
type aggregate_date { count: Int median: String mode: String maximum: String minimum: String }
type aggregate_reference { type: String pointingTo: [String] }
`.trim();

const scalars: Partial<Record<ElementType, string>> = {
  text: 'String',
  uuid: 'String',
  date: 'String',
  blob: 'String',
  blobHash: 'String',
  int: 'Int',
  number: 'Float',
  boolean: 'Boolean',
  geoCoordinates: 'geo',
  phoneNumber: 'phone',
};

const aggregates: Partial<Record<ElementType, string>> = {
  text: 'aggregate_text',
  int: 'aggregate_number',
  number: 'aggregate_number',
  boolean: 'aggregate_boolean',
  date: 'aggregate_date',
  reference: 'aggregate_reference',
};

function typesOf({ name, properties, vectors }: Collection, names: Set<string>): string[] {
  const shown = properties.filter((one) => isName(one.name) && one.name !== '_additional');
  const spaces = vectors.flatMap((one) => (one.name !== null && isName(one.name) ? [one.name] : []));
  const types: string[] = [];
  const fields = fieldsOf(shown, name, { names, types });
  const counted = shown.flatMap((one) => {
    const type = aggregates[one.elementType];
    return type === undefined ? [] : [`${one.name}: ${type}`];
  });
  const vectorFields = spaces.length > 0 ? `vectors: vectors_${name}` : '';
  return [
    ...types,
    `type ${name} {\n  ${[...fields, `_additional: additional_${name}`].join('\n  ')}\n}`,
    `type additional_${name} { ${facts} ${vectorFields} group: group_${name} rerank(property: String query: String): [reranked] generate(singleResult: value groupedResult: value): generated }`,
    `type group_${name} { id: Int groupedBy: groupedBy count: Int maxDistance: Float minDistance: Float hits: [${name}] }`,
    ...(spaces.length > 0
      ? [`type vectors_${name} { ${spaces.map((one) => `${one}: value`).join(' ')} }`]
      : []),
    `type aggregate_${name} { meta: counted groupedBy: groupedBy ${counted.join(' ')} }`,
  ];
}

const facts =
  'id: String vector: value creationTimeUnix: String lastUpdateTimeUnix: String distance: Float certainty: Float score: String explainScore: String isConsistent: Boolean';

interface Made {
  names: Set<string>;
  /** The types of objects and references go here. */
  types: string[];
}

function fieldsOf(properties: Property[], place: string, made: Made): string[] {
  return properties.flatMap(({ name, elementType, isArray, references, nested }) => {
    const type = scalars[elementType];
    if (type !== undefined) return [`${name}: ${isArray ? `[${type}]` : type}`];
    const own = `${place}_${name}`;
    if (elementType === 'reference') {
      const targets = references.filter((one) => made.names.has(one));
      if (targets.length === 0) return [];
      made.types.push(`union reference_${own} = ${targets.join(' | ')}`);
      return [`${name}: [reference_${own}]`];
    }
    const members = nested.filter((one) => isName(one.name));
    if (elementType !== 'object' || members.length === 0) return [`${name}: value`];
    made.types.push(`type object_${own} { ${fieldsOf(members, own, made).join(' ')} }`);
    return [`${name}: ${isArray ? `[object_${own}]` : `object_${own}`}`];
  });
}
