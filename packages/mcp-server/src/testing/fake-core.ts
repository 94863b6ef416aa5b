import {
  type ActivityEntry,
  AppError,
  type Caller,
  type Connection,
  type Core,
  type CoreEvent,
  type DataAccess,
  defaultSettings,
  type QueryOutcome,
  type QueryRequest,
  type SettingsValues,
  type Token,
} from '@trestle/core';
import { type Cell, type RunResult, rowSetFromCells } from '@trestle/driver-kit';

/** The parts of a core that tests of the MCP server need. `runQuery` refuses calls on `c-hidden`. */
export interface FakeCore {
  core: Core;
  activity: Omit<ActivityEntry, 'id' | 'at'>[];
  /** The callers of `runQuery`, in order. */
  callers: Caller[];
  /** Resolves when the first `runQuery` call with the text `wait` begins. The value is the signal of this call. */
  waiting: Promise<AbortSignal>;
  /** Sets the results and messages of later `runQuery` calls. */
  respond(results: RunResult[], messages?: QueryOutcome['messages']): void;
  tokens: Map<string, Token | 'expired' | 'revoked'>;
}

export function createFakeCore(settings: Partial<SettingsValues> = {}): FakeCore {
  const values: SettingsValues = { ...defaultSettings, mcpPort: 0, ...settings };
  const listeners = new Set<(event: CoreEvent) => void>();
  const tokens: FakeCore['tokens'] = new Map([['good', token('token-1')]]);
  const activity: FakeCore['activity'] = [];
  const callers: Caller[] = [];
  let results: RunResult[] = [rowsResult([[1]])];
  let messages: QueryOutcome['messages'] = [];
  const waiting = Promise.withResolvers<AbortSignal>();

  async function runQuery(access: DataAccess, request: QueryRequest): Promise<QueryOutcome> {
    callers.push(access.caller);
    admit(access);
    if (request.text === 'wait') {
      waiting.resolve(access.signal);
      await new Promise((_, reject) => {
        access.signal.addEventListener('abort', () =>
          reject(new AppError({ code: 'cancelled', message: 'Cancelled' })),
        );
      });
    }
    if (request.text === 'break') throw new TypeError('a secret detail');
    const effect = request.text === 'write' ? 'write' : 'read';
    return { effect, results, messages, historyId: 'h', durationMs: 1 };
  }

  const core = {
    connections: {
      visibleTo: () => connections.filter((connection) => connection.externalClients !== 'blocked'),
      list: () => connections,
      get: (id: string) => connections.find((connection) => connection.id === id),
    },
    approvals: { pending: () => [] },
    drivers: { get: () => undefined },
    sessions: { status: () => ({ state: 'disconnected', capabilities: [] }), needsApproval: () => false },
    data: { runQuery, tables: async () => [{ name: 'planets', kind: 'table' }] },
    activity: {
      record: (entry: FakeCore['activity'][number]) => activity.push(entry),
      recordLater: (entry: FakeCore['activity'][number]) => activity.push(entry),
    },
    tokens: {
      verify(text: string) {
        const found = tokens.get(text);
        if (typeof found === 'object') return { ok: true, token: found };
        return { ok: false, reason: found ?? 'unknown' };
      },
    },
    uiState: { get: () => undefined, set: () => {} },
    settings: {
      get: () => values,
      update(patch: Partial<SettingsValues>) {
        Object.assign(values, patch);
        for (const listener of listeners) listener({ type: 'settingsChanged', settings: values });
        return values;
      },
    },
    events: {
      on(listener: (event: CoreEvent) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  } as unknown as Core;
  const respond: FakeCore['respond'] = (next, beside = []) => {
    results = next;
    messages = beside;
  };
  return { core, activity, callers, waiting: waiting.promise, respond, tokens };
}

export function rowsResult(rows: Cell[][]): RunResult {
  const columns = [{ name: 'value', type: 'any' as const, nativeType: '' }];
  return { kind: 'rows', rows: rowSetFromCells(columns, rows), truncated: false };
}

export function token(id: string, name = id): Token & { kind: 'user' } {
  return {
    kind: 'user',
    id,
    name,
    permission: 'readWrite',
    allowlist: null,
    createdAt: '',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

const connections = [
  { id: 'c-open', name: 'Open', driver: 'sqlite', externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
  { id: 'c-twin-1', name: 'Twin', driver: 'sqlite', externalClients: 'readOnly', aiPolicy: 'alwaysAllow' },
  { id: 'c-twin-2', name: 'Twin', driver: 'sqlite', externalClients: 'readOnly', aiPolicy: 'alwaysAllow' },
  { id: 'c-hidden', name: 'Hidden', driver: 'sqlite', externalClients: 'blocked', aiPolicy: 'alwaysAllow' },
] as Connection[];

function admit({ connectionId }: DataAccess): void {
  if (connectionId !== 'c-hidden') return;
  throw new AppError({
    code: 'forbidden',
    message: 'Forbidden: External Clients is Blocked on this connection',
  });
}
