// A driver for tests: `run` evaluates its text inside the driver's process, `connect` does what its field says.

const AsyncFunction = (async () => {}).constructor;
const evaluate = (text, context) =>
  new AsyncFunction(...Object.keys(context), text)(...Object.values(context));

const text = (name) => ({ name, type: 'text', nativeType: 'text' });
const cells = (values) => ({ kind: 'cells', cells: values });

/** Kept between calls, to distinguish processes. */
const memory = { calls: 0, produced: 0, returned: false, aborted: false };

export const driver = {
  async connect({ fields, log, dial }, { signal }) {
    const session = makeSession({ fields, log, dial });
    if (fields.connect) await evaluate(fields.connect, { fields, log, dial, signal, session });
    return session;
  },
};

function makeSession({ fields, log, dial }) {
  return {
    server: { product: 'Script', version: '1.0' },
    async health() {
      return {};
    },
    async listTables() {
      return [{ name: 'planets', kind: 'table' }];
    },
    async describeTable(table) {
      const error = new Error(`There is no table ${table}, said ${fields.apiKey}`);
      throw Object.assign(error, { name: 'DriverError', code: 'not_found', hint: 'Pick another.' });
    },
    async browse({ table }) {
      const backing = new Float32Array(4_000_000).fill(9);
      backing.set([0.5, 1.5, -2.5, 3.5], 1_000_000);
      return {
        rows: {
          rowCount: 2,
          columns: [text(table), { name: 'vector', type: 'vector', nativeType: 'float32[2]' }],
          values: [
            cells([9007199254740993n, new Uint8Array([1, 2, 3])]),
            {
              kind: 'vectors',
              dimensions: 2,
              floats: backing.subarray(1_000_000, 1_000_004),
              present: new Uint8Array([1, 1]),
            },
          ],
        },
      };
    },
    async count() {
      return memory.calls;
    },
    async classify() {
      return { effect: 'read', summary: 'Reads' };
    },
    async run({ text }, { signal }) {
      memory.calls++;
      const document = await evaluate(text, { signal, memory, fields, log, dial });
      return { effect: 'read', results: [{ kind: 'document', document: document ?? null }], messages: [] };
    },
    async *exportRows({ table, ...request }, { signal }) {
      if (table === 'long vectors') {
        const floats = new Float32Array(2 * 1000).fill(1);
        yield {
          rowCount: 2,
          columns: [text('request'), text('vector')],
          values: [
            cells([JSON.stringify(request), null]),
            { kind: 'vectors', dimensions: 1000, floats, present: new Uint8Array([1, 1]) },
          ],
        };
        return;
      }
      signal.addEventListener('abort', () => {
        memory.aborted = true;
      });
      try {
        for (let batch = 0; table === 'endless' || batch < 3; batch++) {
          if (table === 'broken' && batch === 1) throw new Error('The cursor is gone');
          while (table === 'spinning' && batch === 1);
          if (table === 'stuck' && batch === 1) await new Promise(() => {});
          memory.produced++;
          const cell = table === 'unsendable' ? () => {} : batch;
          yield { rowCount: 1, columns: [text('batch')], values: [cells([cell])] };
        }
      } finally {
        memory.returned = true;
      }
    },
    async *applyChanges({ table, changes }, { signal }) {
      for (const { id } of changes) {
        if (signal.aborted)
          throw Object.assign(new Error('Cancelled'), { name: 'DriverError', code: 'cancelled' });
        yield { sent: [id], outcomes: [] };
        if (table === 'slow') await new Promise((resolve) => setTimeout(resolve, 100));
        if (table === 'stuck' && id === '1') await new Promise(() => {});
        yield { sent: [], outcomes: [{ id, status: 'applied' }] };
      }
    },
    async close() {
      if (fields.close) await evaluate(fields.close, { fields, log });
    },
  };
}
