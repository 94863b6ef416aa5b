import { randomUUID } from 'node:crypto';
import {
  type Act,
  type ActEnd,
  type Design,
  type DesignField,
  type DesignForm,
  type DesignItem,
  type DesignValue,
  isDriverError,
  type Session,
  type StepAnswer,
} from '@trestle/driver-kit';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** How many random designs are made. `npm run proofs -- designs` makes more. */
const designs = Number(process.env.TRESTLE_FUZZ_CASES ?? 12);

type Definition = { [name: string]: Definition } & { class?: string };

describeOnWeaviate('designs of collections', ({ version, port }) => {
  const isNew = !version.startsWith('1.27');
  const name = `Design${randomUUID().slice(0, 8)}`;
  const made = new Set<string>();
  let session: Session;
  beforeAll(async () => {
    session = await connect(port);
  });
  afterAll(async () => {
    await session?.close();
    for (const one of made) await rest(port, 'DELETE', `/schema/${one}`);
  });

  const definition = (of: string) => rest(port, 'GET', `/schema/${of}`) as Promise<Definition>;

  /** Runs an act as the app does. */
  async function run(act: Act): Promise<ActEnd & { sent: string[] }> {
    const sent: string[] = [];
    let state: Parameters<NonNullable<Session['nextStep']>>[0]['state'] = null;
    let answer: StepAnswer | undefined;
    for (;;) {
      const step = await session.nextStep!({ act, state, ...(answer && { answer }) }, call);
      if (step.kind === 'end') return { ...step.ended, sent };
      ({ state } = step);
      answer = undefined;
      if (step.kind === 'wait') {
        await new Promise((resolve) => setTimeout(resolve, step.seconds * 100));
        continue;
      }
      sent.push(step.text.split('\n')[0]!);
      const request = { text: step.text, ceiling: 'destroy' as const, limit: 10, outbound: 'user' as const };
      answer = await session.run(request, call).then(
        ({ results }) => ({
          documents: results.flatMap((one) => (one.kind === 'document' ? [one.document] : [])),
        }),
        (error) => {
          if (!isDriverError(error)) throw error;
          return { error: { code: error.code, message: error.message } };
        },
      );
    }
  }

  async function make(design: Partial<Design>) {
    const whole = { name: `${name}${made.size}`, fields: {}, parts: {}, ...design };
    made.add(whole.name);
    return { name: whole.name, ...(await run({ kind: 'create', design: whole })) };
  }

  async function change(table: string, edit: (design: Edited) => void) {
    const design = await session.readDesign!({ table }, call);
    edit(edited(design));
    const plan = await session.planDesign!({ design, table }, call);
    const ended = await run({ kind: 'change', table, design, seen: plan.seen! });
    return { ...ended, plan };
  }

  const document = {
    properties: [
      item({ name: 'title', tokenization: 'field', description: 'Its name' }),
      item({ name: 'year', type: 'int', range: true }),
      { ...item({ name: 'author', type: 'object' }), items: [item({ name: 'surname' })] },
    ],
    vectors: [
      item({ name: 'own', distance: 'dot' }),
      item({ name: 'small', index: 'flat', compression: 'bq' }),
    ],
  };

  test('a collection is made as designed, and reads back as the same design', async () => {
    const of = `${name}${made.size}`;
    const properties = [...document.properties, item({ name: 'to', type: 'reference', targets: [of] })];
    const fields = { description: 'Documents', indexNullState: true, k1: 1.4, moreStopwords: ['moon'] };
    const ended = await make({ fields, parts: { ...document, properties } });
    expect(ended).toEqual({ name: of, made: 'all', notes: [], sent: ['POST /schema'] });
    expect(await definition(of)).toMatchObject({
      description: 'Documents',
      // The server takes 0 for a number that is left out beside the other, and leaves it out of its answer.
      invertedIndexConfig: {
        bm25: { k1: 1.4, b: 0.75 },
        indexNullState: true,
        stopwords: { preset: 'en', additions: ['moon'] },
      },
      vectorConfig: {
        own: { vectorizer: { none: {} }, vectorIndexType: 'hnsw', vectorIndexConfig: { distance: 'dot' } },
        small: { vectorIndexType: 'flat', vectorIndexConfig: { bq: { enabled: true } } },
      },
    });
    const read = edited(await session.readDesign!({ table: of }, call));
    expect(read.property('title')).toMatchObject({
      tokenization: 'field',
      description: 'Its name',
      filterable: true,
    });
    expect(read.property('year')).toMatchObject({ type: 'int', range: true });
    expect(read.property('to')).toMatchObject({ type: 'reference', targets: [of] });
    expect(read.vector('small')).toMatchObject({ index: 'flat', compression: 'bq' });
    expect(read.design.parts.properties!.find(({ items }) => items)!.items![0]!.fields.name).toBe('surname');
    await session.planDesign!({ design: read.design, table: of }, call).then(({ steps }) =>
      expect(steps).toEqual([]),
    );
  });

  test('a design without a vector makes a collection that has none', async () => {
    const { name: of, notes } = await make({ parts: { properties: [item({ name: 'title' })], vectors: [] } });
    expect(notes).toEqual([]);
    expect((await session.readDesign!({ table: of }, call)).parts.vectors).toEqual([]);
    expect(await definition(of)).toMatchObject({ vectorizer: 'none', vectorIndexConfig: { skip: true } });
  });

  test.each([true, false])(
    'a copy of a definition keeps what the form does not show (tenants: %s)',
    async (tenants) => {
      const source = `${name}Source${tenants}`;
      made.add(source);
      await rest(port, 'POST', '/schema', {
        class: source,
        vectorizer: 'none',
        vectorIndexConfig: { vectorCacheMaxObjects: 5_000, distance: 'manhattan' },
        multiTenancyConfig: { enabled: tenants },
        invertedIndexConfig: { cleanupIntervalSeconds: 77 },
        properties: [{ name: 'title', dataType: ['text'], moduleConfig: { none: {} } }],
      });
      const design = { ...(await session.readDesign!({ table: source }, call)), name: `${source}Copy` };
      expect((await make(design)).notes).toEqual([]);
      const { class: _, ...copy } = await definition(`${source}Copy`);
      const { class: __, ...original } = await definition(source);
      // The names of shards are not part of a definition.
      expect(copy).toEqual(original);
    },
  );

  test('what the server takes at once is changed, and read again', async () => {
    const { name: of } = await make({ parts: document });
    const {
      sent,
      notes,
      made: how,
    } = await change(of, ({ design, property, vector }) => {
      Object.assign(design.fields, {
        description: 'Other',
        b: 0,
        stopwords: 'none',
        deletions: 'DeleteOnConflict',
      });
      property('title').description = 'The title';
      vector('own').ef = 99;
      design.parts.properties!.push(item({ name: 'when', type: 'date' }));
    });
    expect({ sent, notes, how }).toEqual({
      sent: [`PUT /schema/${of}`, `POST /schema/${of}/properties`],
      notes: [],
      how: 'all',
    });
    const now = await definition(of);
    expect(now).toMatchObject({
      description: 'Other',
      replicationConfig: { deletionStrategy: 'DeleteOnConflict' },
      invertedIndexConfig: { stopwords: { preset: 'none' } },
      vectorConfig: { own: { vectorIndexConfig: { ef: 99, distance: 'dot' } } },
    });
    expect((now.properties as unknown as Definition[]).map((one) => one.name)).toContain('when');
    expect((await session.readDesign!({ table: of }, call)).fields.b).toBe(0);
  });

  test('a setting that the server accepts and ignores is said', async () => {
    const { name: of } = await make({ parts: document });
    const { notes } = await change(of, ({ design }) => Object.assign(design.fields, { repairs: true }));
    expect(notes).toEqual(isNew ? ['Repair in the background: the server kept No.'] : []);
  });

  test.runIf(isNew)('a named vector is added', async () => {
    const { name: of } = await make({ parts: document });
    const { notes, plan } = await change(of, ({ design }) =>
      design.parts.vectors!.push(item({ name: 'third' })),
    );
    expect(notes).toEqual([]);
    expect(plan.steps).toMatchObject([{ later: 'now', cost: expect.stringContaining('cannot be removed') }]);
    expect(Object.keys((await definition(of)).vectorConfig!).sort()).toEqual(['own', 'small', 'third']);
  });

  test.runIf(isNew)('indexes and the splitting of text change by tasks of the server', async () => {
    const { name: of } = await make({ parts: document });
    const objects = Array.from({ length: 300 }, (_, year) => ({
      ...{ class: of, properties: { title: `Moon river ${year}`, year } },
    }));
    await rest(port, 'POST', '/batch/objects', { objects });
    const { sent, notes, plan } = await change(of, ({ property }) => {
      property('title').tokenization = 'word';
      Object.assign(property('year'), { filterable: false, range: false });
    });
    expect(notes).toEqual([]);
    expect(sent).toEqual([
      `PUT /schema/${of}/properties/title/index/searchable`,
      `DELETE /schema/${of}/properties/year/index/filterable`,
      `DELETE /schema/${of}/properties/year/index/rangeFilters`,
    ]);
    expect(plan.steps.map(({ later }) => later)).toEqual(['task', 'now', 'now']);
    const filters = [{ column: 'title', operator: 'equals' as const, value: 'river' }];
    expect(await session.count({ table: of, filters, match: 'all' }, call)).toBe(300);
    const back = await change(of, ({ property }) =>
      Object.assign(property('year'), { filterable: true, range: true }),
    );
    expect(back.notes).toEqual([]);
    expect(
      await session.readDesign!({ table: of }, call).then((one) => edited(one).property('year')),
    ).toMatchObject({
      ...{ filterable: true, range: true },
    });
  });

  test('what no server changes is offered as a copy, and nothing is sent', async () => {
    const { name: of } = await make({ parts: document });
    const before = await definition(of);
    const {
      made: how,
      sent,
      plan,
    } = await change(of, ({ design, vector }) => {
      Object.assign(design.fields, { tenants: true, indexTimestamps: true, indexNullState: true, shards: 3 });
      Object.assign(vector('own'), { distance: 'cosine', efConstruction: 200 });
      vector('small').compression = 'none';
      design.parts.properties = design.parts.properties!.filter(({ fields }) => fields.name !== 'year');
    });
    expect({ how, sent }).toEqual({ how: 'none', sent: [] });
    expect(plan.steps).toMatchObject([{ later: 'copy' }]);
    expect(plan.steps[0]!.changes.map(({ label }) => label)).toEqual([
      'Separate rows by tenant',
      'Filter by NULL',
      'Filter by time',
      'Vector own: Distance',
      'Vector own: efConstruction',
      'Vector small: Compression',
      'year',
    ]);
    expect(await definition(of)).toEqual(before);
  });

  test('a collection that has changed meanwhile is left alone', async () => {
    const { name: of } = await make({ parts: document });
    const design = await session.readDesign!({ table: of }, call);
    design.fields.description = 'Mine';
    const { seen } = await session.planDesign!({ design, table: of }, call);
    await rest(port, 'PUT', `/schema/${of}`, { ...(await definition(of)), description: 'Theirs' });
    const ended = await run({ kind: 'change', table: of, design, seen: seen! });
    expect(ended).toMatchObject({
      made: 'none',
      sent: [],
      notes: [expect.stringContaining('changed meanwhile')],
    });
    expect((await definition(of)).description).toBe('Theirs');
  });

  test('a refusal of the server ends the act, and says how far it came', async () => {
    const { name: of } = await make({ parts: document });
    const { made: how, notes } = await change(of, ({ design }) => {
      design.fields.description = 'Other';
      // The server needs a setting of its own for this tokenizer.
      design.parts.properties!.push(item({ name: 'korean', tokenization: 'kagome_kr' }));
    });
    expect(how).toBe('partly');
    expect(notes).toEqual([expect.stringContaining('ENABLE_TOKENIZER_KAGOME_KR')]);
    expect((await definition(of)).description).toBe('Other');
  });

  test.each<[string, Partial<Design>, object]>([
    ['no name', { name: '' }, { field: 'name' }],
    ['a name with a space', { name: 'Bad name' }, { field: 'name' }],
    ['a small first letter', { name: 'small' }, { field: 'name' }],
    [
      'a property without a name',
      { parts: { properties: [item({})] } },
      { part: 'properties', item: [0], field: 'name' },
    ],
    ['a reserved name', { parts: { properties: [item({ name: 'id' })] } }, { field: 'name' }],
    [
      'two names that differ in case',
      { parts: { properties: [item({ name: 'a' }), item({ name: 'A' })] } },
      { item: [1], field: 'name' },
    ],
    [
      'an object without properties',
      { parts: { properties: [item({ name: 'o', type: 'object' })] } },
      { item: [0] },
    ],
    [
      'a bad name inside an object',
      { parts: { properties: [{ ...item({ name: 'o', type: 'object' }), items: [item({ name: 'a b' })] }] } },
      { item: [0, 0], field: 'name' },
    ],
    [
      'a reference to nothing',
      { parts: { properties: [item({ name: 'to', type: 'reference', targets: ['Nowhere'] })] } },
      { field: 'targets' },
    ],
    [
      'a vector from a property that does not exist',
      { parts: { vectors: [item({ name: 'v', sources: ['nope'] })] } },
      { part: 'vectors', field: 'sources' },
    ],
    [
      'two vectors with one name',
      { parts: { vectors: [item({ name: 'v' }), item({ name: 'v' })] } },
      { field: 'name' },
    ],
    [
      'a word in both lists',
      { fields: { moreStopwords: ['a'], fewerStopwords: ['a'] } },
      { field: 'fewerStopwords' },
    ],
    ['a number out of range', { fields: { b: 2 } }, { field: 'b' }],
  ])(
    '%s is a problem at its field, and the server would refuse it too or take it wrongly',
    async (_why, given, place) => {
      const design = { name: `${name}Bad`, fields: {}, parts: {}, ...given };
      const { problems, steps } = await session.planDesign!({ design }, call);
      expect(problems).toMatchObject([place]);
      expect(steps).toEqual([]);
      expect((await run({ kind: 'create', design })).sent).toEqual([]);
    },
  );

  test('a name that a collection or an alias has is taken, in any letter case', async () => {
    const { name: of } = await make({ parts: document });
    const taken = async (one: string) => {
      const { problems } = await session.planDesign!({ design: { name: one, fields: {}, parts: {} } }, call);
      return problems.map(({ problem }) => problem);
    };
    expect(await taken(`D${of.slice(1).toUpperCase()}`)).toEqual([`The collection ${of} exists already.`]);
    if (!isNew) return;
    await rest(port, 'POST', '/aliases', { alias: `${of}Alias`, class: of });
    expect(await taken(`${of}Alias`)).toEqual([`The name is taken by the alias ${of}Alias.`]);
    await rest(port, 'DELETE', `/aliases/${of}Alias`);
  });

  test(`${designs} random designs are made as they are drawn, and read back without a step`, async () => {
    const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_119);
    const draw = drawing(await session.designForm!(call), seed);
    for (let round = 0; round < designs; round++) {
      const of = `${name}Random${round}`;
      const design = draw(of);
      const where = `seed ${seed}, round ${round}: ${JSON.stringify(design)}`;
      expect((await session.planDesign!({ design }, call)).problems, where).toEqual([]);
      const ended = await make(design);
      expect(ended, where).toMatchObject({ made: 'all', notes: [] });
      const read = await session.readDesign!({ table: of }, call);
      const { steps } = await session.planDesign!(
        { design: { ...design, ...{ definition: read.definition! } }, table: of },
        call,
      );
      expect(steps, where).toEqual([]);
      await rest(port, 'DELETE', `/schema/${of}`);
      made.delete(of);
    }
  });
});

interface Edited {
  design: Design;
  property(name: string): DesignItem['fields'];
  vector(name: string): DesignItem['fields'];
}

/** The server returns properties and vectors in an order of its own. */
function edited(design: Design): Edited {
  const find = (part: string) => (name: string) =>
    design.parts[part]!.find(({ fields }) => fields.name === name)!.fields;
  return { design, property: find('properties'), vector: find('vectors') };
}

function item(fields: Record<string, DesignValue>): DesignItem {
  return { fields };
}

/** Draws designs that the form can make. Modules are left out: most of them need an account. */
function drawing({ groups, parts }: DesignForm, seed: number): (name: string) => Design {
  const { below, pick } = randomSource(seed);
  const [properties, vectors] = parts;
  const outside = new Set([
    'maker',
    'sources',
    'module',
    'generative',
    'reranker',
    'targets',
    'tenants',
    'copies',
    'repairs',
    'shards',
  ]);
  /** These need a setting of the server. */
  const needing = /^(gse|kagome)|^(dynamic|hfresh|reference|object)/;

  function value(field: DesignField, isSeen: Seen): DesignValue {
    switch (field.type) {
      case 'boolean':
        return below(2) === 0;
      case 'choice':
        return pick(
          field.choices.filter((one) => isSeen(one) && !needing.test(one.value)).map((one) => one.value),
        );
      case 'number': {
        const { min = 0, max = min + 1000, whole } = field;
        return whole ? min + below(max - min + 1) : min + Math.round(below(100) * (max - min)) / 100;
      }
      case 'texts':
        return Array.from({ length: below(3) }, (_, index) => `${field.id}${index}`);
      case 'text':
        return pick(['', 'plain', 'with "quotes"', 'línea\nand more', '{"json": 1}']);
      default:
        return field.default;
    }
  }

  /** A field that the form would not show has no value. */
  function values(fields: DesignField[], given: Record<string, DesignValue>): Record<string, DesignValue> {
    const all = { ...given };
    for (const field of fields) {
      if (field.id in all || outside.has(field.id) || below(3) === 0) continue;
      const seen = (id: string) => all[id] ?? fields.find((one) => one.id === id)!.default;
      const isSeen: Seen = ({ visibleWhen = [] }) =>
        visibleWhen.every((when) => when.oneOf.some((one) => one === seen(when.field)));
      if (isSeen(field)) all[field.id] = value(field, isSeen);
    }
    return all;
  }

  return (name) => ({
    name,
    fields: values(
      groups.flatMap(({ fields }) => fields),
      {},
    ),
    parts: {
      properties: Array.from({ length: below(6) }, (_, index) =>
        item(values(properties!.fields, { name: `p${index}` })),
      ),
      vectors: Array.from({ length: below(4) }, (_, index) =>
        item(values(vectors!.fields, { name: `v${index}` })),
      ),
    },
  });
}

type Seen = (of: Pick<DesignField, 'visibleWhen'>) => boolean;
