import { randomUUID } from 'node:crypto';
import { type BrowseRequest, type Page, rowAt, type SearchRequest, type Session } from '@trestle/driver-kit';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connectWeaviate, type RunningWeaviate, weaviateRest } from './weaviate-target.ts';

const facts = [
  ['Apollo 11', 'first crewed landing on the Moon by rocket', 'space'],
  ['Voyager 1', 'a probe that left the planets between the stars', 'space'],
  ['Violin', 'strings and a bow in the orchestra', 'music'],
  ['Honey bee', 'lives in hives and stores nectar', 'insect'],
  ['Piano', 'strings struck by hammers', 'music'],
  ['Moon rocket', 'the Saturn V', 'space'],
] as const;

/** The values of title, note and label. A label is one token: a search must match its whole text. */
const wordRows = [
  ['red', 'fox', 'x'],
  ['red fox', 'none', 'y'],
  ['red', 'none', 'red fox'],
  ['fox', 'red', 'z'],
  ['blue', 'bear', 'w'],
  ['green', 'red fox', 'q'],
] as const;

/** Tests of the search settings other than the mode. They are the same for the sample node and a real server. */
export function describeSearchSettings(open: () => Promise<RunningWeaviate>): void {
  const suffix = randomUUID().slice(0, 8);
  const [single, named] = [`Settings${suffix}`, `SettingsNamed${suffix}`];
  const words = `SettingsWords${suffix}`;
  let server: RunningWeaviate;
  let session: Session;
  const rest = (method: string, path: string, body?: unknown) =>
    weaviateRest(server.port, method, path, body);

  beforeAll(async () => {
    server = await open();
    const properties = ['title', 'note', 'kind'].map((name) => ({ name, dataType: ['text'] }));
    const space = (name: string) => ({
      vectorizer: { 'text2vec-transformers': { properties: [name] } },
      // An exact index, because HNSW may miss the nearest row.
      vectorIndexType: 'flat',
    });
    await rest('POST', '/schema', { class: single, vectorizer: 'text2vec-transformers', properties });
    await rest('POST', '/schema', {
      class: named,
      vectorConfig: { title: space('title'), note: space('note') },
      properties,
    });
    await rest('POST', '/schema', {
      class: words,
      vectorizer: 'none',
      properties: [
        { name: 'title', dataType: ['text'] },
        { name: 'note', dataType: ['text'] },
        { name: 'label', dataType: ['text'], tokenization: 'field' },
      ],
    });
    for (const [index, [title, note, label]] of wordRows.entries()) {
      const id = `44444444-4444-4444-8444-00000000000${index}`;
      await rest('POST', '/objects', { class: words, id, properties: { title, note, label } });
    }
    for (const [index, [title, note, kind]] of facts.entries()) {
      const id = `33333333-3333-4333-8333-00000000000${index}`;
      for (const name of [single, named]) {
        await rest('POST', '/objects', { class: name, id, properties: { title, note, kind } });
      }
    }
    session = await connectWeaviate(server.port);
  });
  afterAll(async () => {
    await session?.close();
    for (const name of [single, named, words]) await rest('DELETE', `/schema/${name}`);
    await server?.stop();
  });

  const ask = (request: Partial<SearchRequest> & Pick<SearchRequest, 'mode'>): SearchRequest => ({
    table: single,
    filters: [],
    match: 'all',
    limit: 6,
    ...request,
  });
  const find = (request: Partial<SearchRequest> & Pick<SearchRequest, 'mode'>): Promise<Page> =>
    session.search!(ask(request), call);
  const titles = ({ rows }: Page) =>
    Array.from({ length: rows.rowCount }, (_, row) => String(rowAt(rows, row).title));
  const measures = ({ rows }: Page) => {
    const name = rows.columns.find(({ isMeasure }) => isMeasure)?.name ?? '';
    return Array.from({ length: rows.rowCount }, (_, row) => Number(rowAt(rows, row)[name]));
  };
  /** The places of the found rows in `wordRows`, in the order of the result. */
  const numbers = ({ rows }: Page) =>
    Array.from({ length: rows.rowCount }, (_, row) => Number(String(rowAt(rows, row).uuid).at(-1)));
  const options = async (table: string) => (await session.describeTable(table, call)).searches?.options ?? {};

  test('the description offers the settings that the collection and the server version support', async () => {
    const one = await options(single);
    expect(one.fusions?.map(({ name }) => name)).toEqual(['relativeScoreFusion', 'rankedFusion']);
    expect(one.keywordColumns).toEqual(['title', 'note', 'kind']);
    expect(one.joins).toBeUndefined();
    expect(one.groupBy).toEqual({ columns: ['title', 'note', 'kind'] });
    expect(one.rerank?.refusal).toContain('no reranker module');
    expect((await options(named)).joins?.map(({ name }) => name)).toEqual([
      'minimum',
      'average',
      'sum',
      'manualWeights',
      'relativeScore',
    ]);
  });

  test('the fusion decides the scores of a hybrid search', async () => {
    const asked = { mode: 'hybrid' as const, text: 'rocket', alpha: 0.5 };
    const relative = measures(await find({ ...asked, fusion: 'relativeScoreFusion' }));
    expect(relative[0]).toBeCloseTo(1, 5);
    const ranked = measures(await find({ ...asked, fusion: 'rankedFusion' }));
    expect(ranked[0]).toBeLessThan(0.05);
    await expect(find({ ...asked, fusion: 'none' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('weights of the properties change the order of a keyword search', async () => {
    const asked = { mode: 'keyword' as const, text: 'rocket' };
    const of = (column: string, weight: number) => ({ column, weight });
    expect(titles(await find({ ...asked, keywordColumns: [of('title', 1)] }))).toEqual(['Moon rocket']);
    expect(titles(await find({ ...asked, keywordColumns: [of('note', 1)] }))).toEqual(['Apollo 11']);
    const heavy = await find({ ...asked, keywordColumns: [of('title', 9), of('note', 1)] });
    expect(titles(heavy)[0]).toBe('Moon rocket');
    const other = await find({ ...asked, keywordColumns: [of('title', 1), of('note', 9)] });
    expect(titles(other)[0]).toBe('Apollo 11');
    await expect(find({ ...asked, keywordColumns: [of('title', 2.5)] })).rejects.toThrow('whole number');
    await expect(find({ ...asked, keywordColumns: [of('absent', 1)] })).rejects.toThrow('no column');
  });

  test('if the server supports allWords, a search for all words leaves out rows with only some words', async () => {
    const asked = { mode: 'keyword' as const, text: 'moon hammers' };
    expect((await find(asked)).rows.rowCount).toBe(3);
    const { allWords } = await options(single);
    const all = find({ ...asked, allWords: true });
    if (allWords) expect((await all).rows.rowCount).toBe(0);
    else await expect(all).rejects.toThrow('1.31');
  });

  test('a search for all words finds a row only if one property has all words, split by its tokenization', async () => {
    const asked = { mode: 'keyword' as const, text: 'red fox', table: words };
    expect(numbers(await find(asked)).sort()).toEqual([0, 1, 2, 3, 5]);
    const { allWords } = await options(words);
    if (!allWords) return;
    const all = (columns: string[]) =>
      find({ ...asked, allWords: true, keywordColumns: columns.map((column) => ({ column, weight: 1 })) });
    const found = async (...columns: string[]) => numbers(await all(columns)).sort();
    expect(await found('title', 'note')).toEqual([1, 5]);
    expect(await found('title', 'label')).toEqual([1, 2]);
    expect(await found('title', 'note', 'label')).toEqual([1, 2, 5]);
    expect(numbers(await find({ ...asked, text: 'the red fox', allWords: true })).sort()).toEqual([1, 5]);
  });

  test('a query with the same word twice gives twice the score', async () => {
    const columns = { keywordColumns: [{ column: 'title', weight: 1 }] };
    const scores = async (text: string) =>
      measures(await find({ mode: 'keyword', text, table: words, ...columns }));
    const [once, twice] = [await scores('red'), await scores('red red')];
    expect(once).toHaveLength(3);
    expect(twice.map((score) => score / 2)).toEqual(once.map((score) => expect.closeTo(score, 5)));
  });

  test('the scores of a search in several properties equal the scores of the newest tested server', async () => {
    if (!(await options(words)).allWords) return;
    const weighted = await find({
      mode: 'keyword',
      text: 'red fox',
      table: words,
      keywordColumns: [
        { column: 'title', weight: 2 },
        { column: 'note', weight: 1 },
      ],
    });
    expect(measures(weighted)).toEqual(
      [1.4911729, 1.4911729, 1.4487107, 0.9941153, 0.72435534].map((score) => expect.closeTo(score, 5)),
    );
  });

  test('maxDistance leaves out rows that are farther away', async () => {
    const near = { mode: 'near_text' as const, text: 'rocket' };
    const distances = measures(await find(near));
    const within = measures(await find({ ...near, maxDistance: (distances[1]! + distances[2]!) / 2 }));
    expect(within).toHaveLength(2);
    const hybrid = await find({
      mode: 'hybrid',
      text: 'rocket',
      alpha: 1,
      maxDistance: distances[0]! + 0.01,
    });
    expect(titles(hybrid)).toEqual(['Moon rocket']);
    await expect(find({ mode: 'keyword', text: 'rocket', maxDistance: 1 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('autocut ends the results at a jump of the distance or score', async () => {
    expect(titles(await find({ mode: 'near_text', text: 'rocket', autocut: 1 }))).toHaveLength(3);
    expect(titles(await find({ mode: 'near_text', text: 'rocket', autocut: 2 }))).toHaveLength(6);
    const hybrid = { mode: 'hybrid' as const, text: 'rocket', alpha: 0.5 };
    const [cut, whole] = [await find({ ...hybrid, autocut: 1 }), await find(hybrid)];
    expect(cut.rows.rowCount).toBeLessThan(whole.rows.rowCount);
    expect(titles(cut)[0]).toBe('Moon rocket');
  });

  test('several target vectors are joined as requested, with weights', async () => {
    const near = { mode: 'near_text' as const, text: 'rocket', table: named };
    const joined = async (join: string, weights: [number, number]) =>
      measures(
        await find({
          ...near,
          targets: {
            join,
            vectors: [
              { name: 'title', weight: weights[0] },
              { name: 'note', weight: weights[1] },
            ],
          },
        }),
      );
    const average = await joined('average', [1, 1]);
    const sum = await joined('sum', [1, 1]);
    expect(sum[0]).toBeCloseTo((average[0] ?? 0) * 2, 4);
    const weighted = await joined('manualWeights', [1, 0.5]);
    const alone = measures(await find({ ...near, targetVector: 'title' }));
    expect(weighted[0]).toBeGreaterThan(alone[0] ?? 9);
    const byNote = measures(await find({ ...near, targetVector: 'note' }));
    const nearest = Math.min(alone[0] ?? 9, byNote[0] ?? 9);
    expect((await joined('minimum', [1, 1]))[0]).toBeCloseTo(nearest, 4);
    const targets = { join: 'sum', vectors: [{ name: 'absent' }] };
    await expect(find({ ...near, targets })).rejects.toThrow('has no vector "absent"');
    const hybrid = await find({
      mode: 'hybrid',
      text: 'rocket',
      table: named,
      targets: { join: 'sum', vectors: [{ name: 'title' }, { name: 'note' }] },
    });
    expect(titles(hybrid)[0]).toBe('Moon rocket');
  });

  test('groups come with their rows, the best group first', async () => {
    const page = await find({
      mode: 'near_text',
      text: 'rocket',
      groupBy: { column: 'kind', groups: 2, rowsPerGroup: 2 },
    });
    expect(page.groups).toEqual([
      { value: 'space', rows: 2 },
      { value: 'music', rows: 2 },
    ]);
    expect(titles(page).slice(0, 2)).toEqual(['Moon rocket', 'Apollo 11']);
    expect(measures(page)[0]).toBeGreaterThan(0);
    const words = await find({
      mode: 'keyword',
      text: 'strings moon',
      groupBy: { column: 'kind', groups: 1, rowsPerGroup: 3 },
    });
    expect(words.groups).toHaveLength(1);
  });

  test('reranking is refused if the collection has no reranker module', async () => {
    await expect(find({ mode: 'keyword', text: 'rocket', rerank: { column: 'note' } })).rejects.toMatchObject(
      { code: 'unsupported' },
    );
  });

  test('a search can be shown as code, and the code of the query finds the same rows', async () => {
    const request = ask({
      mode: 'hybrid',
      text: 'rocket "5\' tall"',
      alpha: 0.5,
      fusion: 'rankedFusion',
      keywordColumns: [{ column: 'title', weight: 2 }],
      filters: [{ column: 'kind', operator: 'equals', value: 'space' }],
    });
    const codes = await session.showRequest!({ kind: 'search', request }, call);
    const [query, ...others] = codes.map(({ label }) => label);
    expect(others).toEqual(['REST', 'Python', 'TypeScript']);
    const text = codes[0]!.text;
    const found = query === 'Connect' ? await titlesByConnect(text) : await titlesByGraphql(text);
    expect(found).toEqual(titles(await session.search!(request, call)));
    expect(codes[2]!.text).toContain('query_properties=["title^2"]');
    expect(codes[2]!.text).toContain('Filter.by_property("kind").equal("space")');
    expect(codes[3]!.text).toContain("fusionType: 'Ranked'");
  });

  async function titlesByGraphql(text: string): Promise<unknown[]> {
    parse(text);
    const outcome = await session.run({ text, ceiling: 'read', limit: 10 }, call);
    const [result] = outcome.results;
    const rows = result?.kind === 'rows' ? result.rows : undefined;
    return Array.from({ length: rows?.rowCount ?? 0 }, (_, row) => rowAt(rows!, row).title);
  }

  /** The editor runs the line that is shown. */
  async function titlesByConnect(text: string): Promise<unknown[]> {
    const outcome = await session.run({ text, ceiling: 'read', limit: 10, outbound: 'user' }, call);
    const [answer] = outcome.results;
    const { results } = (answer?.kind === 'document' ? answer.document : {}) as unknown as {
      results: { properties: { nonRefProps: { fields: { title: { textValue: string } } } } }[];
    };
    return results.map(({ properties }) => properties.nonRefProps.fields.title.textValue);
  }

  test('the code for a page uses GET /v1/objects, or a query if the page has a filter or a sort', async () => {
    const page: BrowseRequest = { table: single, filters: [], match: 'all', sort: [], limit: 5, offset: 0 };
    const shown = async (request: BrowseRequest) =>
      (await session.showRequest!({ kind: 'browse', request }, call)).map(({ text }) => text);
    const query = /v1.(graphql|grpc-web.weaviate.v1.Weaviate.Search)'/;
    const plain = await shown(page);
    expect(plain[1]).toContain(`/v1/objects?class=${single}&limit=5`);
    const sorted = await shown({ ...page, sort: [{ column: 'title', order: 'desc' }] });
    expect(sorted[1]).toMatch(query);
    expect(sorted[2]).toContain('Sort.by_property("title", ascending=False)');
    const filters = [{ column: 'kind', operator: 'equals' as const, value: 'space' }];
    expect((await shown({ ...page, filters }))[1]).toMatch(query);
  });
}
