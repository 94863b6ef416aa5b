import { type Page, rowAt, type SearchRequest, type Session } from '@trestle/driver-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchedWords } from '../../drivers/weaviate/src/matched-words.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import type { TestServer } from './global-setup.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** A keyword search over properties that are split differently: the server's own explanation names random words then. */

const table = 'Reasons';
const kinds = { w: 'word', l: 'lowercase', s: 'whitespace', f: 'field', t: 'trigram' };
const songs = [
  { w: 'Moon river, moon', l: 'wide river,', s: 'Moon River', f: 'moon river', t: 'honeymoon' },
  { w: 'The sun', l: 'moon the', s: 'moon', f: 'Moon River', t: 'a driver' },
  { w: 'birds that cannot fly', l: 'birds', s: 'fly', f: 'birds', t: 'bird' },
  { w: 'of the river', l: 'Moon', s: 'river', f: 'the moon', t: 'moon river' },
];
const text = 'the Moon river';
const words = {
  0: { moon: 'w2', river: 'w1', Moon: 's1 t1' },
  1: { the: 'l1', moon: 'l1', river: 't1' },
  3: { moon: 'l1', river: 'w1 s1', 'Moon river': 't1' },
};

describeOnWeaviate('reasons', describeReasons);
describeOnWeaviate('reasons in Korean', describeKorean);

function describeReasons({ port, version }: TestServer): void {
  let session: Session;

  beforeAll(async () => {
    session = await connect(port);
    await rest(port, 'DELETE', `/schema/${table}`);
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: Object.entries(kinds).map(([name, tokenization]) => ({
        ...{ name, tokenization },
        dataType: ['text'],
      })),
    });
    for (const [at, properties] of songs.entries()) {
      const id = `00000000-0000-4000-8000-00000000000${at}`;
      await rest(port, 'POST', '/objects', { class: table, id, properties, vector: [1, at] });
    }
  });

  afterAll(async () => {
    await rest(port, 'DELETE', `/schema/${table}`);
    await session?.close();
  });

  /** The words of each found row, by the row's number: `w2` is twice in the column w. */
  const reasons = ({ rows, explanations }: Page) =>
    Object.fromEntries(
      explanations!.map(({ terms }, row) => [
        Number(String(rowAt(rows, row).uuid).at(-1)),
        Object.fromEntries(
          Array.from(
            Map.groupBy(terms ?? [], ({ term }) => term),
            ([term, places]) => [term, places.map(({ column, count }) => `${column}${count}`).join(' ')],
          ),
        ),
      ]),
    );

  const searches: [SearchRequest['mode'], Partial<SearchRequest>][] = [
    ['keyword', {}],
    ['hybrid', { alpha: 0.5, vector: [1, 1] }],
  ];
  test.each(searches)(
    'the same %s search names the same words five times, each in the query and the row',
    async (mode, more) => {
      const request: SearchRequest = {
        table,
        mode,
        text,
        filters: [],
        match: 'all',
        limit: 10,
        explain: true,
        ...more,
      };
      for (let round = 0; round < 5; round++) {
        // The columns of the page need not be those that are searched.
        const page = await session.search!(round % 2 ? request : { ...request, columns: ['w'] }, call);
        const found = reasons(page);
        expect(found).toEqual(mode === 'keyword' ? words : { ...words, 2: {} });
        for (const [row, terms] of Object.entries(found)) {
          const stored = Object.values(songs[Number(row)]!).join(' ').toLowerCase();
          for (const term of Object.keys(terms)) {
            expect(text.toLowerCase()).toContain(term.toLowerCase());
            expect(stored.replace(/[- ]/g, '')).toContain(term.toLowerCase().replaceAll(' ', ''));
          }
        }
        expect(page.explanations!.every(({ unknown }) => unknown === undefined)).toBe(true);
      }
    },
  );

  test('only the searched columns are explained, and the rows with a word can be counted', async () => {
    const keywordColumns = [{ column: 's', weight: 3 }];
    const page = await session.search!(
      { table, mode: 'keyword', text, filters: [], match: 'all', limit: 10, explain: true, keywordColumns },
      call,
    );
    expect(reasons(page)).toEqual({ 0: { Moon: 's1' }, 3: { river: 's1' } });
    const rowsWith = (column: string, value: string) =>
      session.count({ table, filters: [{ column, operator: 'equals', value }], match: 'any' }, call);
    expect(
      await Promise.all([rowsWith('w', 'river'), rowsWith('s', 'Moon'), rowsWith('t', 'Moon river')]),
    ).toEqual([2, 1, 1]);
  });

  test.skipIf(version.startsWith('1.27'))('texts are split as the server splits them', async () => {
    const texts = [text, 'ΟΔΟΣ οδος İstanbul', ' a\u0085b\ufeffc \u3000', 'naïve-Σίσυφος, 12.5%', 'Ǆ ß ﬁ K'];
    for (const [property, tokenization] of Object.entries(kinds)) {
      // The words of a search on trigrams are pieces, so they cannot be compared.
      if (tokenization === 'trigram') continue;
      for (const one of texts) {
        const { indexed } = (await rest(port, 'POST', `/schema/${table}/properties/${property}/tokenize`, {
          text: one,
        })) as { indexed: string[] };
        const own = matchedWords(one, [one], { tokenization: tokenization as 'word' }, new Set());
        expect([property, own?.map(({ term }) => term)]).toEqual([property, [...new Set(indexed)]]);
      }
    }
  });
}

function describeKorean({ binary, version }: TestServer): void {
  let server: WeaviateServer;
  let session: Session;

  beforeAll(async () => {
    server = await startWeaviate({ binary, environment: { ENABLE_TOKENIZER_KAGOME_KR: 'true' } });
    session = await connect(server.port);
    await rest(server.port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: [
        { name: 'title', dataType: ['text'], tokenization: 'word' },
        { name: 'korean', dataType: ['text'], tokenization: 'kagome_kr' },
      ],
    });
    const properties = { title: 'Moon', korean: '달과 강' };
    await rest(server.port, 'POST', '/objects', { class: table, properties });
  });

  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });

  const offersWords = !version.startsWith('1.27');
  test(`the words of a dictionary are ${offersWords ? 'asked of the server' : 'not known'}`, async () => {
    const request: SearchRequest = {
      table,
      mode: 'keyword',
      text: '강 moon',
      filters: [],
      match: 'all',
      limit: 5,
    };
    const { explanations } = await session.search!({ ...request, explain: true }, call);
    const moon = { term: 'moon', column: 'title', count: 1 };
    expect(explanations).toEqual([
      offersWords
        ? { terms: [{ term: '강', column: 'korean', count: 1 }, moon] }
        : { terms: [moon], unknown: ['korean'] },
    ]);
  });
}
