import { randomUUID } from 'node:crypto';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Change,
  isDriverError,
  type MaskedKinds,
  maskedColumn,
  type Session,
} from '@trestle/driver-kit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** The masked value. An attack sends a right guess and a wrong one. Its two answers must not differ. */
const secret = 'ada@love.example';
const guesses = [secret, 'eve@love.example'];
const guarded = maskedColumn('mail');

describeOnWeaviate('a client that guesses a masked value', ({ port }) => {
  const plain = `Guess${randomUUID().slice(0, 8)}`;
  const vectorized = `${plain}V`;
  const id = randomUUID();
  let session: Session;

  beforeAll(async () => {
    session = await connect(port);
    const text = (name: string) => ({ name, dataType: ['text'] });
    const properties = [text('name'), text('mail'), text('note')];
    const skipped = { 'text2vec-transformers': { skip: true } };
    const place = { name: 'place', dataType: ['geoCoordinates'] };
    const invertedIndexConfig = { indexTimestamps: true };
    const columns = [...properties, place];
    await rest(port, 'POST', '/schema', {
      class: plain,
      vectorizer: 'none',
      invertedIndexConfig,
      properties: columns,
    });
    await rest(port, 'POST', '/schema', {
      class: vectorized,
      vectorizer: 'text2vec-transformers',
      properties: [text('mail'), text('note'), { ...text('name'), moduleConfig: skipped }],
    });
  });

  afterAll(async () => {
    await session?.close();
    for (const name of [plain, vectorized]) await rest(port, 'DELETE', `/schema/${name}`);
  });

  /** Stores the object again, and returns what `attack` shows of it: the answer or the error, and the object's time. */
  async function seen(table: string, attack: () => Promise<unknown>): Promise<string> {
    await rest(port, 'DELETE', `/objects/${table}/${id}`);
    const properties = { name: 'Ada', mail: secret, note: secret };
    const vector = table === plain && { vector: [1, 0] };
    await rest(port, 'POST', '/objects', { class: table, id, properties, ...vector });
    const answer = await attack().catch((error: unknown) => {
      if (!isDriverError(error)) throw error;
      return { code: error.code, message: error.message };
    });
    return JSON.stringify(answer, (key, value) => (/^(id|uuid)$/.test(key) ? '' : value))
      .replaceAll(/eve@|ada@/g, 'GUESS')
      .replaceAll(/\b\d{13}\b/g, 'TIME');
  }

  /** The object that `seen` stores, with a guess. */
  function stored(mail: string) {
    return { class: plain, id, vector: [1, 0], properties: { name: 'Ada', mail, note: secret } };
  }

  /** The answers to a right and a wrong guess. */
  const both = async (table: string, attack: (guess: string) => Promise<unknown>) => {
    const [right = '', wrong] = [
      await seen(table, () => attack(guesses[0]!)),
      await seen(table, () => attack(guesses[1]!)),
    ];
    expect(right).toBe(wrong);
    return right;
  };

  const change = { id: 'a', key: { uuid: id } };

  describe('of a kind that another program wrote after the columns were checked', () => {
    const maskedKinds: MaskedKinds = { patterns: ['email'], open: [], marks: [] };
    const save = (table: string, changes: Change[], kinds = maskedKinds) =>
      Array.fromAsync(
        session.applyChanges!({ table, changes, rowTimeoutMs: 9_000, reach: 9, maskedKinds: kinds }, call),
      );

    test.each<[string, (guess: string) => Change[]]>([
      [
        'in the expected values of an update',
        (note) => [{ ...change, kind: 'update', values: { name: 'x' }, expected: { note } }],
      ],
      ['in those of a deletion', (note) => [{ ...change, kind: 'delete', expected: { note, name: 'Ada' } }]],
      [
        'as the new value too, which would be no conflict',
        (note) => [{ ...change, kind: 'update', values: { note }, expected: { note: 'other' } }],
      ],
      [
        'for two rows that one query reads',
        (note) => [
          { ...change, kind: 'update', values: { name: 'x' }, expected: { note } },
          { id: 'b', key: { uuid: randomUUID() }, kind: 'update', values: { name: 'x' }, expected: { note } },
        ],
      ],
    ])('%s learns nothing', async (_, changes) => {
      const answer = await both(plain, (guess) => save(plain, changes(guess)));
      expect(answer).toContain('note cannot be used to compare');
    });

    test('may compare a column that the user opened, and columns without such a value', async () => {
      const open = [{ table: plain, column: 'note' }];
      const expected = { note: secret };
      const update: Change = { ...change, kind: 'update', values: { name: 'x' }, expected };
      expect(await seen(plain, () => save(plain, [update], { ...maskedKinds, open }))).toContain('"applied"');
      const byName: Change = { ...update, expected: { name: 'Ada' } };
      expect(await seen(plain, () => save(plain, [byName]))).toContain('"applied"');
    });
  });

  describe('of a property that a vector is made from', () => {
    const object = (mail: string) => ({ class: vectorized, id, properties: { name: 'Ada', mail } });
    test.each<[string, (mail: string) => Promise<unknown>]>([
      ['by a save', (mail) => write([{ ...change, kind: 'update', values: { mail } }])],
      [
        'by a save among others',
        (mail) => write([{ ...change, kind: 'update', values: { name: 'x', mail } }]),
      ],
      ['by PATCH', (mail) => line(`PATCH /objects/${vectorized}/${id}`, object(mail))],
      ['by PUT', (mail) => line(`PUT /objects/${vectorized}/${id}`, object(mail))],
      ['by PUT without the class in the path', (mail) => line(`PUT /objects/${id}`, object(mail))],
      [
        'in another case',
        (mail) => line(`PATCH /objects/${id}`, { CLASS: vectorized, Properties: { Mail: mail } }),
      ],
      ['by a batch', (mail) => line('POST /batch/objects', { objects: [object(mail)] })],
      [
        'by a batch in another case',
        (mail) =>
          line('POST /batch/objects', {
            Objects: [{ ...object(mail), class: `${vectorized[0]!.toLowerCase()}${vectorized.slice(1)}` }],
          }),
      ],
    ])('%s is refused', async (_, attack) => {
      expect(await both(vectorized, attack)).toContain('because a vector is made from it');
    });

    test('may set it in a new object, and other properties of a stored one', async () => {
      const inserted: Change = { kind: 'insert', id: 'a', values: { mail: 'new@x.example' } };
      expect(await seen(vectorized, () => write([inserted]))).toContain('"applied"');
      const update: Change = { ...change, kind: 'update', values: { name: 'x' } };
      expect(await seen(vectorized, () => write([update]))).toContain('"applied"');
      expect(
        await seen(plain, () => write([{ ...change, kind: 'update', values: { mail: 'x' } }], plain)),
      ).toContain('"applied"');
    });
  });

  describe('of a place or a vector, which decide the order of the objects', () => {
    const hidden = [...maskedColumn('place'), ...maskedColumn('vector')];
    const place = { latitude: 1.5, longitude: 2.5 };
    const object = { class: plain, id, properties: { name: 'Ada' } };
    const update: Change = { ...change, kind: 'update', values: { place } };
    const send = (text: string) =>
      session.run({ text, ceiling: 'destroy', limit: 9, reach: 9, guarded: hidden }, call);
    const placed = { ...object, properties: { Place: place } };
    const moved = { ...object, Vector: [1, 0] };
    test.each<[string, () => Promise<unknown>]>([
      [
        'a place by a save',
        () =>
          Array.fromAsync(
            session.applyChanges!(
              { table: plain, changes: [update], rowTimeoutMs: 9_000, reach: 9, guarded: hidden },
              call,
            ),
          ),
      ],
      ['a place by PATCH', () => send(`PATCH /objects/${plain}/${id} ${JSON.stringify(placed)}`)],
      ['a place by PUT', () => send(`PUT /objects/${id} ${JSON.stringify(placed)}`)],
      ['a place by a batch', () => send(`POST /batch/objects ${JSON.stringify({ objects: [placed] })}`)],
      ['a vector by PATCH', () => send(`PATCH /objects/${plain}/${id} ${JSON.stringify(moved)}`)],
      ['a vector by PUT', () => send(`PUT /objects/${plain}/${id} ${JSON.stringify(moved)}`)],
      [
        'named vectors by PUT',
        () =>
          send(`PUT /objects/${plain}/${id} ${JSON.stringify({ ...object, vectors: { default: [1, 0] } })}`),
      ],
      ['a vector by a batch', () => send(`POST /batch/objects ${JSON.stringify({ objects: [moved] })}`)],
    ])('%s is refused', async (_, attack) => {
      expect(await seen(plain, attack)).toContain('changes the place of the object in lists');
    });

    test('may set them in a new object', async () => {
      const fresh = { class: plain, vector: [1, 0], properties: { name: 'x', place } };
      const lines = [
        `POST /objects ${JSON.stringify(fresh)}`,
        `POST /batch/objects ${JSON.stringify({ objects: [fresh] })}`,
      ];
      for (const text of lines) expect(await send(text)).toMatchObject({ effect: 'write' });
    });
  });

  test.each<[string, (mail: string) => Promise<unknown>]>([
    ['PUT', (mail) => line(`PUT /objects/${plain}/${id}`, stored(mail))],
    ['a batch', (mail) => line('POST /batch/objects', { objects: [stored(mail)] })],
  ])('learns nothing from the times in the answer to %s', async (_, attack) => {
    const answer = await both(plain, attack);
    expect(answer).not.toMatch(/_(lastUpdate|creation)TimeUnix/);
    expect(answer).toContain('"name":"Ada"');
  });

  describe('and looks at the time of the latest change', () => {
    const time = '_additional { lastUpdateTimeUnix }';
    const sorted = `{ Get { ${plain}(sort: [{path: ["_lastUpdateTimeUnix"]}]) { name } } }`;
    const filtered = `{ Get { ${plain}(where: {path: ["_lastUpdateTimeUnix"], operator: GreaterThan, valueText: "1"}) { name } } }`;
    test.each([
      [`{ Get { ${plain} { name ${time} } } }`],
      [`{ Get { ${plain} { name _additional { t: lastUpdateTimeUnix } } } }`],
      [sorted],
      [filtered],
      [`GET /objects?class=${plain}&sort=_lastUpdateTimeUnix&limit=1`],
      [`GET /objects?class=${plain}&sort=lastUpdateTimeUnix&limit=1`],
    ])('%s is refused', async (text) => {
      await expect(run(text)).rejects.toMatchObject({ code: 'refused' });
    });

    test('an object of REST does not show it, also in the answer to a write', async () => {
      const put = { class: plain, id, properties: { name: 'Ada', mail: secret }, vector: [1, 0] };
      for (const text of [
        `GET /objects/${plain}/${id}`,
        `GET /objects?class=${plain}`,
        `PUT /objects/${plain}/${id} ${JSON.stringify(put)}`,
      ]) {
        expect(await seen(plain, () => run(text)), text).toContain('"lastUpdateTimeUnix":"•••"');
      }
    });
  });

  test('whose update the server fails learns nothing from the look at the row', async () => {
    // Answers each PATCH with an error of the server, so the driver reads the row to see whether the change was made.
    const proxy = createServer((request, response) => {
      if (request.method === 'PATCH') {
        request.resume();
        response.writeHead(500, { 'content-type': 'application/json' });
        return response.end('{"error":[{"message":"put object: shard failed"}]}');
      }
      const { method, url: path, headers } = request;
      const onward = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const failing = await connect((proxy.address() as AddressInfo).port);
    onTestFinished(async () => {
      await failing.close();
      proxy.closeAllConnections();
      proxy.close();
    });
    const update = (mail: string): Change[] => [{ ...change, kind: 'update', values: { mail } }];
    const answer = await both(plain, (mail) => write(update(mail), plain, failing));
    expect(answer).toContain('"unknown"');
  });

  function write(changes: Change[], table = vectorized, by = session) {
    return Array.fromAsync(
      by.applyChanges!({ table, changes, rowTimeoutMs: 9_000, reach: 9, guarded }, call),
    );
  }

  function run(text: string) {
    return session.run({ text, ceiling: 'destroy', limit: 9, reach: 9, guarded }, call);
  }

  function line(head: string, body: unknown) {
    return run(`${head} ${JSON.stringify(body)}`);
  }
});
