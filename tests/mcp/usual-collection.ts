/** A collection as users have them: described properties, tenants and two named vectors. */
const articles = 'Article';
const tenant = 'newsroom';

const described: [name: string, dataType: string, description: string][] = [
  ['title', 'text', 'The headline as it was printed, without the kicker above it'],
  ['body', 'text', 'The whole text of the article in Markdown, images left out'],
  ['author', 'text', 'Who wrote it; several names are separated by commas'],
  ['section', 'text', 'The section of the paper: politics, business, science, culture or sport'],
  ['published', 'date', 'When it went online for the first time, in UTC'],
  ['wordCount', 'int', 'The number of words in the body, counted at publication'],
  ['paid', 'boolean', 'Only subscribers can read the whole article'],
  ['tags', 'text[]', 'Keywords that the editors chose from their own list'],
];

const vectorOf = (property: string) => ({
  vectorizer: { 'text2vec-transformers': { properties: [property] } },
  vectorIndexType: 'hnsw',
});

const definition = {
  class: articles,
  description: 'Articles of a newspaper since 2015, one object for each article',
  multiTenancyConfig: { enabled: true },
  vectorConfig: { title: vectorOf('title'), body: vectorOf('body') },
  properties: described.map(([name, dataType, description]) => ({ name, dataType: [dataType], description })),
};

const objects = Array.from({ length: 10 }, (_, at) => ({
  class: articles,
  tenant,
  id: `4f1a2b3c-5d6e-4f70-8a9b-${String(at).padStart(12, '0')}`,
  properties: {
    title: `River towns plan for the flood that comes once in a hundred years, part ${at + 1}`,
    body: 'After two dry summers nobody in the valley spoke of floods. Then the snow melted within a week, and the gauge at the old bridge rose by three metres. The council now wants walls, meadows and a warning by phone.',
    author: 'M. Okafor, L. Brandt',
    section: 'science',
    published: `2025-03-${String(at + 10)}T06:30:00Z`,
    wordCount: 1_180 + at,
    paid: at % 2 === 0,
    tags: ['climate', 'rivers', 'planning'],
  },
}));

/** Creates the collection on a server that has the module `text2vec-transformers`. */
export async function createUsualCollection(port: number): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/schema', definition);
  await post(
    `/schema/${articles}/tenants`,
    [tenant, 'archive', 'magazine'].map((name) => ({ name })),
  );
  await post('/batch/objects', { objects });
}

/** The calls of a model with one question about the collection. */
export function usualQuestion(connection_id: string): [name: string, args: object][] {
  return [
    ['list_connections', {}],
    ['list_tables', { connection_id }],
    ['describe_table', { connection_id, table: articles }],
    [
      'vector_search',
      {
        connection_id,
        table: articles,
        tenant,
        limit: 10,
        ...{ mode: 'hybrid', text: 'how towns prepare for floods', target_vector: 'body' },
      },
    ],
  ];
}
