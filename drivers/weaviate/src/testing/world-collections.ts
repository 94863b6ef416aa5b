const property = (name: string, ...dataType: string[]) => ({ name, dataType });

/** The collections that the queries of `graphql-queries.ts` read. */
export const worldCollections = [
  { class: 'Author', vectorizer: 'none', properties: [property('name', 'text'), property('age', 'int')] },
  { class: 'Publisher', vectorizer: 'none', properties: [property('label', 'text')] },
  {
    class: 'Article',
    vectorizer: 'text2vec-transformers',
    moduleConfig: { 'generative-dummy': {}, 'reranker-dummy': {} },
    invertedIndexConfig: { indexNullState: true, indexPropertyLength: true, indexTimestamps: true },
    properties: [
      ...[property('title', 'text'), property('body', 'text'), property('words', 'int')],
      ...[property('price', 'number'), property('published', 'boolean'), property('day', 'date')],
      ...[property('code', 'uuid'), property('place', 'geoCoordinates'), property('phone', 'phoneNumber')],
      ...[property('tags', 'text[]'), property('nums', 'int[]'), property('prices', 'number[]')],
      ...[property('days', 'date[]'), property('flags', 'boolean[]'), property('codes', 'uuid[]')],
      ...[property('pic', 'blob'), property('big', 'int')],
      {
        ...property('meta', 'object'),
        nestedProperties: [
          ...[property('a', 'text'), property('n', 'int')],
          { ...property('deep', 'object'), nestedProperties: [property('z', 'text')] },
        ],
      },
      { ...property('parts', 'object[]'), nestedProperties: [property('a', 'text')] },
      { ...property('cat', 'text'), tokenization: 'field' },
      ...[property('writtenBy', 'Author'), property('makers', 'Author', 'Publisher')],
    ],
  },
  {
    class: 'Named',
    vectorConfig: {
      a: {
        vectorizer: { none: {} },
        vectorIndexType: 'hnsw',
        vectorIndexConfig: { distance: 'l2-squared' },
      },
      b: { vectorizer: { none: {} }, vectorIndexType: 'hnsw' },
      m: {
        vectorizer: { none: {} },
        vectorIndexType: 'hnsw',
        vectorIndexConfig: { multivector: { enabled: true } },
      },
    },
    properties: [property('name', 'text')],
  },
  {
    class: 'Mt',
    vectorizer: 'none',
    multiTenancyConfig: { enabled: true },
    properties: [property('name', 'text')],
  },
  {
    class: 'Plain',
    vectorizer: 'none',
    moduleConfig: { 'generative-dummy': {} },
    properties: [property('n', 'int'), property('w', 'text')],
  },
];
