/** A uuid in the collections of `world-collections.ts`. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export interface GraphqlCase {
  query: string;
  variables?: { [name: string]: unknown };
}

/** Queries of the docs and of the tests, with every argument of `Get` and `Aggregate` that has a counterpart. */
export const translated: GraphqlCase[] = [
  // Properties of every type.
  {
    query: `{ Get { Article(limit: 5) { title words price published day code tags nums prices days flags codes pic cat
      place { latitude longitude } phone { input countryCode national internationalFormatted valid }
      meta { a n deep { z } } parts { a } __typename } } }`,
  },
  {
    query:
      '{ Get { Article(where: {path: ["title"], operator: Equal, valueText: "bare"}) { title words tags place { latitude } phone { valid } meta { a } parts { a } } } }',
  },
  {
    query:
      '{ Get { Article(limit: 3) { only: title  _additional { id creationTimeUnix lastUpdateTimeUnix } } } }',
  },
  // Pages.
  { query: '{ Get { Plain { n } } }' },
  { query: '{ Get { Plain(offset: 3) { n } } }' },
  { query: '{ Get { Plain(limit: 4, offset: 5) { n w } } }' },
  { query: '{ Get { Plain(limit: 3, after: "") { n _additional { id } } } }' },
  { query: `{ Get { Plain(limit: 3, after: "${uuidOf(6004)}") { n _additional { id } } } }` },
  { query: '{ Get { Mt(tenant: "acme") { name _additional { id } } } }' },
  { query: '{ Get { Article(limit: 5, sort: {path: "title", order: asc}) { title } } }' },
  {
    query:
      '{ Get { Article(limit: 5, sort: [{path: ["cat"], order: desc}, {path: ["words"], order: asc}]) { cat words } } }',
  },
  { query: '{ Get { Article(limit: 5, sort: {path: ["_id"], order: desc}) { _additional { id } } } }' },
  {
    query:
      '{ Get { Article(limit: 5, sort: [{path: ["cat"]}, {path: ["words"], order: desc}]) { cat words } } }',
  },
  // Filters.
  { query: '{ Get { Article(where: {path: ["title"], operator: Like, valueText: "*moon*"}) { title } } }' },
  {
    query:
      '{ Get { Article(where: {operator: And, operands: [{path: ["words"], operator: GreaterThan, valueInt: 100}, {path: ["price"], operator: LessThanEqual, valueNumber: 5.5}]}) { words price } } }',
  },
  {
    query:
      '{ Get { Article(where: {operator: Or, operands: [{path: "published", operator: Equal, valueBoolean: true}, {path: "words", operator: LessThan, valueInt: 30}]}) { words published } } }',
  },
  {
    query:
      '{ Get { Article(where: {operator: Not, operands: [{path: ["cat"], operator: Equal, valueText: "red"}]}, limit: 4) { cat } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["tags"], operator: ContainsAny, valueText: ["moon", "sea"]}, limit: 6) { tags } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["tags"], operator: ContainsAll, valueText: ["moon", "river"]}, limit: 6) { tags } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["nums"], operator: ContainsNone, valueInt: [1, 2, 3]}, limit: 3) { nums } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["words"], operator: IsNull, valueBoolean: true}) { title words } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["day"], operator: GreaterThanEqual, valueDate: "2024-04-20T00:00:00Z"}) { day } } }',
  },
  { query: '{ Get { Article(where: {path: ["len(title)"], operator: LessThan, valueInt: 5}) { title } } }' },
  {
    query: `{ Get { Article(where: {path: ["id"], operator: Equal, valueText: "${uuidOf(1003)}"}) { title } } }`,
  },
  {
    query:
      '{ Get { Article(where: {path: ["_creationTimeUnix"], operator: GreaterThan, valueText: "1600000000000"}, limit: 2) { title } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["place"], operator: WithinGeoRange, valueGeoRange: {geoCoordinates: {latitude: 52.1, longitude: 13.4}, distance: {max: 5000}}}) { title place { latitude } } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["writtenBy", "Author", "name"], operator: Equal, valueText: "2"}) { title } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["makers", "Publisher", "label"], operator: Like, valueText: "*1"}, limit: 7) { title } } }',
  },
  {
    query:
      '{ Get { Article(where: {path: ["writtenBy"], operator: Equal, valueInt: 0}, limit: 4) { title } } }',
  },
  // References.
  {
    query:
      '{ Get { Article(limit: 6) { title writtenBy { ... on Author { name age _additional { id } __typename } } } } }',
  },
  {
    query:
      '{ Get { Article(limit: 6) { title makers { ... on Author { name } ... on Publisher { label _additional { id } } } } } }',
  },
  // Searches.
  { query: '{ Get { Plain(nearVector: {vector: [1, 1, 1]}, limit: 4) { n _additional { distance } } } }' },
  { query: '{ Get { Plain(nearVector: {vector: [1, 1, 1], distance: 2}) { n } } }' },
  {
    query:
      '{ Get { Plain(nearVector: {vector: [1, 1, 1], certainty: 0.98}, limit: 3) { n _additional { id } } } }',
  },
  {
    query: `{ Get { Plain(nearObject: {id: "${uuidOf(6020)}"}, limit: 4) { n _additional { distance } } } }`,
  },
  {
    query: `{ Get { Plain(nearObject: {beacon: "weaviate://localhost/Plain/${uuidOf(6020)}", distance: 0.01}, limit: 4, offset: 1) { n } } }`,
  },
  {
    query:
      '{ Get { Article(nearText: {concepts: ["moon"]}, limit: 4) { title _additional { id distance } } } }',
  },
  {
    query: `{ Get { Article(nearText: {concepts: "moon", moveTo: {concepts: ["sea"], force: 0.5, objects: {id: "${uuidOf(1001)}"}}, moveAwayFrom: {concepts: ["night"], force: 0.3}}, limit: 4) { title _additional { distance } } } }`,
  },
  {
    query:
      '{ Get { Article(bm25: {query: "moon river", properties: ["title^3", "body"]}, limit: 5) { title _additional { score } } } }',
  },
  {
    query:
      '{ Get { Article(bm25: {query: "moon", properties: ["title"], searchOperator: {operator: Or, minimumOrTokensMatch: 1}}) { title _additional { score } } } }',
  },
  {
    query:
      '{ Get { Article(bm25: {query: "moon river", properties: ["title"], searchOperator: {operator: And}}, where: {path: ["published"], operator: Equal, valueBoolean: true}) { title } } }',
  },
  { query: '{ Get { Article(hybrid: {query: "moon"}, limit: 4) { title _additional { score } } } }' },
  {
    query:
      '{ Get { Article(hybrid: {query: "moon", alpha: 0.3, fusionType: rankedFusion, properties: ["title^2"]}, limit: 4) { title _additional { score } } } }',
  },
  {
    query:
      '{ Get { Article(hybrid: {query: "moon", searches: {nearText: {concepts: ["sea"], distance: 0.9}}}, limit: 4) { title _additional { score } } } }',
  },
  {
    query:
      '{ Get { Plain(hybrid: {query: "moon", vector: [1, 1, 1], maxVectorDistance: 0.04, bm25SearchOperator: {operator: And}}, limit: 4) { n _additional { score } } } }',
  },
  { query: '{ Get { Plain(nearVector: {vector: [1, 1, 1]}, autocut: 1) { n } } }' },
  // Named vectors, several vectors, multi-vectors.
  {
    query:
      '{ Get { Named(nearVector: {vector: [1, 2, 3], targetVectors: ["a"]}, limit: 3) { name _additional { distance vectors { a first: b m } } } } }',
  },
  {
    query:
      '{ Get { Named(nearVector: {vector: [[1, 2], [2, 3]], targetVectors: ["m"]}, limit: 2) { name _additional { distance } } } }',
  },
  {
    query:
      '{ Get { Named(nearVector: {vector: [1, 2, 3], targetVectors: ["a", "b"]}, limit: 3) { name _additional { distance } } } }',
  },
  {
    query:
      '{ Get { Named(nearVector: {vectorPerTarget: {a: [1, 2, 3], b: [1, 1, 1]}, targets: {targetVectors: ["a", "b"], combinationMethod: manualWeights, weights: {a: 0.9, b: 0.1}}}, limit: 3) { name _additional { distance } } } }',
  },
  {
    query:
      '{ Get { Named(nearVector: {vectorPerTarget: {a: [[1, 2, 3], [4, 5, 6]]}, targets: {targetVectors: ["a", "a"], combinationMethod: manualWeights, weights: {a: [0.9, 0.1]}}}, limit: 3) { name _additional { distance } } } }',
  },
  {
    query: `{ Get { Named(nearObject: {id: "${uuidOf(3001)}", targets: {targetVectors: ["a", "b"], combinationMethod: sum}}, limit: 3) { name _additional { distance } } } }`,
  },
  {
    query:
      '{ Get { Named(nearVector: {vectorPerTarget: {a: [1, 2, 3], b: [1, 1, 1]}, targets: {targetVectors: ["a", "b"], combinationMethod: relativeScore, weights: {a: 0.5, b: 0.5}}}, limit: 3) { name } } }',
  },
  {
    query:
      '{ Get { Named(nearVector: {vectorPerTarget: {a: [1, 2, 3], b: [1, 1, 1]}, targets: {targetVectors: ["a", "b"], combinationMethod: average}}, limit: 3) { name _additional { distance } } } }',
  },
  {
    query:
      '{ Get { Named(hybrid: {query: "moon", targetVectors: ["a", "b"], searches: {nearVector: {vectorPerTarget: {a: [1, 2, 3], b: [3, 4, 5]}}}}, limit: 3) { name _additional { score } } } }',
  },
  { query: '{ Get { Article(limit: 2) { _additional { vector } } } }' },
  // Groups.
  {
    query:
      '{ Get { Plain(nearVector: {vector: [1, 1, 1]}, limit: 6, groupBy: {path: ["w"], groups: 2, objectsPerGroup: 2}) { n _additional { id distance group { id groupedBy { value path } count maxDistance minDistance hits { n w _additional { id distance } } } } } } }',
  },
  // Several fields, aliases, fragments, variables, directives.
  {
    query:
      '{ Get { first: Plain(limit: 1) { n } second: Plain(limit: 2, offset: 1) { number: n } Author(limit: 2) { name } } Aggregate { Plain { meta { count } } } }',
  },
  {
    query:
      'query Page { found: Get { ...Rows } } fragment Rows on GetObjectsObj { Plain(limit: 2) { n again: n _additional { id } } }',
  },
  {
    query:
      'query ($words: String!, $with: Boolean = false) { Get { Plain(limit: 3, bm25: {query: $words}) { n w @include(if: $with) again: n @skip(if: true) } } }',
    variables: { words: 'moon' },
  },
  // Aggregate.
  {
    query:
      '{ Aggregate { Article { meta { count } words { count sum mean median mode maximum minimum type } price { mean sum maximum minimum count } } } }',
  },
  {
    query:
      '{ Aggregate { Article { cat { count type topOccurrences(limit: 1) { value occurs } } published { count totalTrue totalFalse percentageTrue percentageFalse type } day { count maximum minimum median } writtenBy { type pointingTo } } } }',
  },
  {
    query:
      '{ Aggregate { Article { nums { sum count } prices { mean } flags { totalTrue } days { maximum } } } }',
  },
  {
    query:
      '{ Aggregate { Article(where: {path: ["title"], operator: Equal, valueText: "zzz"}) { meta { count } words { mean count } day { maximum } cat { count topOccurrences { value } } published { totalTrue percentageTrue } } } }',
  },
  {
    query:
      '{ Aggregate { Article(groupBy: ["cat"]) { groupedBy { value path } meta { count } words { mean } } } }',
  },
  {
    query:
      '{ Aggregate { Article(groupBy: "published") { groupedBy { value } meta { count } price { maximum } } } }',
  },
  {
    query:
      '{ Aggregate { Article(nearText: {concepts: ["moon"]}, objectLimit: 5) { meta { count } words { mean } } } }',
  },
  {
    query:
      '{ Aggregate { Article(hybrid: {query: "moon"}, objectLimit: 5) { meta { count } words { mean } } } }',
  },
  {
    query:
      '{ Aggregate { Plain(nearVector: {vector: [1, 1, 1], distance: 0.04}, objectLimit: 200) { meta { count } n { sum } } } }',
  },
  {
    query: `{ Aggregate { Plain(nearObject: {id: "${uuidOf(6020)}"}, objectLimit: 7, where: {path: ["w"], operator: Equal, valueText: "moon"}) { meta { count } } } }`,
  },
  { query: '{ Aggregate { Mt(tenant: "beta") { meta { count } name { count } } } }' },
  {
    query:
      '{ Aggregate { Article { nums { count type sum mean mode median maximum minimum } prices { count type sum mean mode median maximum minimum } price { type mode median } } } }',
  },
  {
    query:
      '{ Aggregate { Article { tags { count type topOccurrences(limit: 3) { value occurs } } cat { topOccurrences { occurs } } flags { count type totalTrue totalFalse percentageTrue percentageFalse } } } }',
  },
  {
    query:
      '{ Aggregate { Article { day { count median maximum minimum } days { count mode median maximum minimum } makers { type pointingTo } } } }',
  },
  {
    query:
      '{ Aggregate { Article(groupBy: ["words"], limit: 2, where: {path: ["words"], operator: Equal, valueInt: 10}) { groupedBy { value path } meta { count } cat { count topOccurrences(limit: 2) { value occurs } } } } }',
  },
  {
    query:
      '{ Aggregate { Article(groupBy: ["price"], where: {path: ["price"], operator: Equal, valueNumber: 0.5}) { groupedBy { value } meta { count } } } }',
  },
  {
    query:
      '{ Aggregate { Article(groupBy: ["cat"]) { groupedBy { value } published { totalTrue percentageFalse } day { minimum } price { sum median mode } } } }',
  },
  // Generative search and rerank, by the modules that Weaviate has for tests.
  {
    query:
      '{ Get { Article(limit: 2) { title _additional { generate(singleResult: {prompt: "Say {title}"}) { singleResult error } } } } }',
  },
  {
    query:
      '{ Get { Article(limit: 2) { title _additional { generate(groupedResult: {task: "Sum up", properties: ["title"]}) { groupedResult } } } } }',
  },
  {
    query:
      '{ Get { Article(bm25: {query: "moon", properties: ["title"]}, limit: 2) { title _additional { id generate(singleResult: {prompt: "Say {title}"} groupedResult: {task: "Sum up", properties: ["title", "body"]}) { singleResult groupedResult } } } } }',
  },
  {
    query:
      '{ Get { Plain(limit: 2) { n _additional { generate(groupedResult: {task: "Sum up"}) { groupedResult } } } } }',
  },
  {
    query:
      '{ Get { Article(nearText: {concepts: ["moon"]}, limit: 3) { title _additional { distance rerank(property: "title", query: "sea") { score } } } } }',
  },
];

/** Queries without a counterpart, and the part that the refusal names. */
export const refused: { query: string; named: string }[] = [
  { query: '{ Explore(nearVector: {vector: [1, 1, 1]}) { beacon } }', named: 'Explore' },
  { query: '{ __schema { types { name } } }', named: '__schema' },
  {
    query: '{ Get { Plain(nearVector: {vector: [1, 1, 1]}, sort: {path: "n", order: asc}) { n } } }',
    named: 'sort together with a search',
  },
  { query: '{ Get { Plain(ask: {question: "Who?"}) { n } } }', named: 'ask' },
  { query: '{ Get { Plain(group: {type: merge, force: 0.1}) { n } } }', named: 'group' },
  { query: '{ Get { Plain(nearText: {concepts: ["a"], autocorrect: true}) { n } } }', named: 'autocorrect' },
  ...[
    'answer',
    'summary',
    'tokens',
    'spellCheck',
    'classification',
    'interpretation',
    'nearestNeighbors',
    'semanticPath',
    'featureProjection',
    'queryProfile',
  ].map((name) => ({ query: `{ Get { Plain { _additional { ${name} { x } } } } }`, named: name })),
  {
    query: `{ Get { Plain(nearObject: {beacon: "weaviate://localhost/Author/${uuidOf(100)}"}) { n } } }`,
    named: 'another collection (Author)',
  },
  {
    query: '{ Aggregate { Article(groupBy: ["writtenBy", "Author", "name"]) { meta { count } } } }',
    named: 'another path than one property',
  },
  { query: '{ Get { Plain { n @live } } }', named: '@live' },
  {
    query:
      '{ Get { Article(limit: 1) { title _additional { generate(groupedResult: {task: "Sum up"}) { groupedResult } } } } }',
    named: 'the object property "meta"',
  },
  {
    query:
      '{ Get { Article(limit: 1) { title _additional { generate(singleResult: {prompt: "Say {meta}"}) { singleResult } } } } }',
    named: 'the object property "meta"',
  },
];
