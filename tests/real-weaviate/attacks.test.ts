import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { call, connect, describeOnWeaviate, rest } from './servers.ts';

describeOnWeaviate('the reach of a request', ({ port }) => {
  const suffix = randomUUID().slice(0, 8);
  const [decoy, person] = [`Decoy${suffix}`, `Person${suffix}`];
  const ids = Array.from({ length: 120 }, () => randomUUID());
  const objects = ids.map((id) => ({ class: person, id, properties: { name: 'Ada' } }));

  beforeAll(async () => {
    for (const name of [decoy, person]) {
      await rest(port, 'POST', '/schema', {
        class: name,
        vectorizer: 'none',
        properties: [{ name: 'name', dataType: ['text'] }],
      });
    }
    await rest(port, 'POST', '/batch/objects', { objects });
  });
  afterAll(async () => {
    for (const name of [decoy, person]) await rest(port, 'DELETE', `/schema/${name}`);
  });

  const filter = { operator: 'Equal', path: ['name'], valueText: 'Ada' };

  test('two keys that differ only in case are refused; a single key may have any case, as on the server', async () => {
    const session = await connect(port);
    const both = `DELETE /batch/objects {"match":${match(decoy)},"Match":${match(person)}}`;
    await expect(session.measure({ text: both }, call)).rejects.toMatchObject({ code: 'refused' });
    const one = `DELETE /batch/objects {"Match":${match(person).replace('"class"', '"CLASS"')}}`;
    expect(await session.measure({ text: one }, call)).toMatchObject({
      tables: [{ table: person, rows: 120 }],
    });
    const ran = await session.run(
      { text: one.replace('{"Match"', '{"dryRun":true,"Match"'), ceiling: 'destroy', limit: 1 },
      call,
    );
    expect(ran).toMatchObject({ results: [{ document: { results: { matches: 120 } } }] });
    await session.close();
  });

  test('a batch that overwrites more rows than the limit is refused; the reach of a delete by uuid, without a collection, includes the row', async () => {
    const session = await connect(port);
    const text = `POST /batch/objects ${JSON.stringify({
      objects: [...objects, { class: person, id: randomUUID(), properties: {} }],
    })}`;
    const run = session.run({ text, ceiling: 'write', limit: 1, reach: 100 }, call);
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining(`120 of ${person}`) });
    expect(await session.measure({ text: `DELETE /objects/${ids[0]}` }, call)).toMatchObject({
      // Multi-tenant collections of other tests may be listed too, with an unknown count.
      tables: expect.arrayContaining([{ table: person, rows: 1 }]),
    });
    await session.close();
  });

  function match(name: string): string {
    return JSON.stringify({ class: name, where: filter });
  }
});
