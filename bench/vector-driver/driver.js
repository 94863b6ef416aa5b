const rowCount = 1000;
const dimensions = 1536;
const floats = Float32Array.from({ length: rowCount * dimensions }, (_, index) => Math.sin(index));

const page = {
  rows: {
    rowCount,
    columns: [{ name: 'vector', type: 'vector', nativeType: `float32[${dimensions}]` }],
    values: [{ kind: 'vectors', dimensions, floats, present: new Uint8Array(rowCount).fill(1) }],
  },
};

/** Only `browse` is measured. The contract requires the other methods. */
export const driver = {
  connect: async () => ({
    server: { product: 'Vectors', version: '1' },
    health: async () => ({}),
    listTables: async () => [],
    describeTable: async () => null,
    browse: async () => page,
    count: async () => rowCount,
    classify: async () => ({ effect: 'read', summary: '' }),
    measure: async () => ({ tables: [], cascades: false, schema: '' }),
    run: async () => ({ effect: 'read', results: [], messages: [] }),
    close: async () => {},
  }),
};
