import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverErrorDetails, Health, Manifest, RowKey } from '@trestle/driver-kit';

/** The behaviour of the fixture driver. The driver reads it in each call. */
interface Behaviour {
  /**
   * The errors that methods throw, by the name of the method. `beforeChanges`: before a save reports anything. An error
   * with `endpoints` is not thrown if the request allows these.
   */
  fail?: Record<string, DriverErrorDetails>;
  /** Methods that run until they are cancelled. */
  hang?: string[];
  /** Methods that do not end when they are cancelled. */
  stuck?: string[];
  /** Methods during which the process exits. */
  exit?: string[];
  health?: Health;
  /** The statuses that `settleChanges` returns, by the id of the change. Other changes are `unknown`. */
  settled?: Record<string, 'applied' | 'failed' | 'unknown'>;
  /** The ids of changes that the driver announces and gives no outcome. */
  silent?: string[];
  /** The keys that the driver chooses for new rows, by the id of the change. */
  keys?: Record<string, RowKey>;
  /** The steps of each act: statements, or `wait`. */
  steps?: string[];
  /** Optional methods that the driver lacks. Read only when it connects. */
  without?: string[];
}

export const fixtureManifest: Manifest = {
  id: 'fixture',
  name: 'Fixture',
  summary: 'Does what a test tells it',
  version: '1.0.0',
  kit: 1,
  entry: 'driver.js',
  platforms: ['desktop'],
  concurrency: 'parallel',
  process: { network: false, sqlite: false },
  terms: { table: ['table', 'tables'], row: ['row', 'rows'] },
  fields: [
    { id: 'host', label: 'Host', type: 'text', required: true },
    { id: 'port', label: 'Port', type: 'integer', default: 8080, min: 1, max: 65535 },
    {
      id: 'auth',
      label: 'Authentication',
      type: 'choice',
      default: 'none',
      choices: [
        { value: 'none', label: 'None' },
        { value: 'apiKey', label: 'API Key' },
      ],
    },
    {
      id: 'apiKey',
      label: 'API Key',
      type: 'secret',
      required: true,
      visibleWhen: { field: 'auth', oneOf: ['apiKey'] },
    },
    { id: 'headers', label: 'Provider Keys', type: 'secretHeaders', advanced: true },
    { id: 'caFile', label: 'CA File', type: 'file', deliver: 'text', advanced: true },
    { id: 'compress', label: 'Compress', type: 'boolean', default: true },
  ],
  address: '{host}:{port}',
  editor: { language: 'sql', placeholder: '' },
  operators: ['equals'],
};

/** Writes the driver's folder. `behave` changes the driver's behaviour, also in the running process. */
export function writeFixtureDriver(directory: string, changes: Partial<Manifest> = {}) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...fixtureManifest, ...changes }));
  writeFileSync(join(directory, 'driver.js'), source);
  const behave = (behaviour: Behaviour) => {
    const path = join(directory, 'behaviour.json');
    writeFileSync(`${path}.new`, JSON.stringify(behaviour));
    renameSync(`${path}.new`, path);
  };
  behave({});
  return { directory, behave };
}

/**
 * `listTables` returns the fields that the driver got, and its process id. `run` takes a statement's effect from its
 * first word.
 */
const source = `
import { readFileSync } from 'node:fs';

const behaviour = () => JSON.parse(readFileSync(import.meta.dirname + '/behaviour.json', 'utf8'));
const fault = (details) => Object.assign(new Error(details.message), { name: 'DriverError', ...details });
const rowsOf = (ids) => ({ rowCount: ids.length, columns: [{ name: 'id', type: 'int', nativeType: 'INT' }], values: [{ kind: 'cells', cells: ids }] });
const atMost = (limit) => rowsOf([1, 2].slice(0, limit));
const effects = { SELECT: 'read', INSERT: 'write', DROP: 'destroy' };
const order = ['read', 'write', 'destroy'];

const isApproved = ({ endpoints }, outbound = []) => endpoints && (outbound === 'user' ||
  endpoints.endpoints.every(({ table, setting, value }) =>
    outbound.some((one) => one.table === table && one.setting === setting && one.value === value)));

async function step(method, { signal }, request) {
  const { fail, hang, stuck, exit } = behaviour();
  if (exit?.includes(method)) process.exit(7);
  if (stuck?.includes(method)) await new Promise(() => {});
  if (hang?.includes(method)) {
    await new Promise((_, reject) => {
      const stop = () => reject(fault({ code: 'cancelled', message: 'Cancelled' }));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
    });
  }
  if (fail?.[method] && !isApproved(fail[method], request?.outbound)) throw fault(fail[method]);
}

export const driver = {
  async connect({ fields, log }, call) {
    log({ level: 'info', message: 'connecting with ' + fields.apiKey });
    await step('connect', call);
    const methods = {
      health: () => behaviour().health ?? {},
      listTables: () => [{ name: 'given', kind: 'table', comment: JSON.stringify(fields) }, { name: String(process.pid), kind: 'table' }],
      describeTable: (table) => ({ name: table, kind: 'table', columns: [], key: [], indexes: [], foreignKeys: [], exampleQuery: '', notes: [] }),
      browse: ({ limit }) => ({ rows: atMost(limit) }),
      count: () => 2,
      classify: (text) => ({ effect: effects[text.split(' ')[0]], summary: text, tables: [] }),
      measure: () => ({ tables: [], cascades: false, schema: '' }),
      run: ({ text, ceiling, limit }) => {
        const effect = effects[text.split(' ')[0]];
        if (!effect) throw fault({ code: 'query_failed', message: 'Not a statement: ' + text });
        if (order.indexOf(effect) > order.indexOf(ceiling)) throw fault({ code: 'above_ceiling', message: 'The statement needs ' + effect, needs: effect });
        const results = effect === 'read' ? [{ kind: 'rows', rows: atMost(limit), truncated: false }] : [{ kind: 'affected', rows: 3 }];
        return { effect, results, messages: [{ level: 'info', text: 'ran for ' + fields.apiKey }] };
      },
      settleChanges: ({ changes }) => changes.map(({ id, key }) => ({ id, status: behaviour().settled?.[id] ?? 'unknown', ...(key && { key }) })),
      previewChanges: ({ changes }) => changes.map(({ id, kind }) => ({ id, text: kind })),
      readCells: ({ keys }) => atMost(keys.length),
      listPartitions: () => [{ name: 'one' }],
      search: ({ limit }) => ({ rows: atMost(limit) }),
      editorSchema: () => ({ language: 'sql', tables: {} }),
      designForm: () => ({ groups: [], parts: [] }),
      readDesign: () => ({ name: 'given', fields: {}, parts: {} }),
      planDesign: () => ({ problems: [], code: [], steps: (behaviour().steps ?? []).map((text) => ({ later: 'now', title: text, text, changes: [] })) }),
      nextStep: ({ state, answer }) => {
        const at = state ?? 0;
        if (answer?.error) return { kind: 'end', ended: { made: at > 1 ? 'partly' : 'none', notes: [answer.error.message] } };
        const text = behaviour().steps[at];
        if (text === undefined) return { kind: 'end', ended: { made: 'all', notes: [] } };
        return text === 'wait'
          ? { kind: 'wait', title: 'Indexing', seconds: 0, progress: 0.4, state: at + 1 }
          : { kind: 'send', title: text, text, state: at + 1 };
      },
    };
    const session = { server: { product: 'Fixture', version: '1' }, async close() {} };
    const without = behaviour().without ?? [];
    for (const [name, answer] of Object.entries(methods)) {
      if (without.includes(name)) continue;
      session[name] = async (...args) => {
        if (name === 'health') log({ level: 'debug', message: 'health was asked' });
        await step(name, args.at(-1), args[0]);
        return answer(...args);
      };
    }
    if (!without.includes('applyChanges')) {
      session.applyChanges = async function* ({ changes, outbound }, call) {
        await step('beforeChanges', call, { outbound });
        for (const { id, kind } of changes) {
          const key = behaviour().keys?.[id];
          yield { sent: [id], ...(key && { keys: { [id]: key } }), outcomes: [] };
          await step('applyChanges', call);
          if (behaviour().silent?.includes(id)) continue;
          yield { sent: [], outcomes: [kind === 'delete'
            ? { id, status: 'failed', error: { code: 'conflict', message: 'refused by ' + fields.apiKey } }
            : { id, status: 'applied' }] };
        }
      };
    }
    if (!without.includes('exportRows')) {
      session.exportRows = async function* (request, call) {
        for (let batch = 0; batch < 3; batch++) {
          await step('exportRows', call);
          yield atMost(2);
        }
      };
    }
    return session;
  },
};
`;
