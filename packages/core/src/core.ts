import { uptime } from 'node:os';
import pino, { type Logger } from 'pino';
import { ApprovalQueue } from './access/approval-queue.ts';
import { Approvals } from './access/approvals.ts';
import { createBudgetHolders } from './access/budget-holders.ts';
import { createCallBudgets } from './access/call-budget.ts';
import { EndpointApprovals } from './access/endpoint-approvals.ts';
import { createGate } from './access/gate.ts';
import { HourlyBudget } from './access/hourly-budget.ts';
import { createLeaveQuestion } from './access/leave-question.ts';
import { LeftQuestions } from './access/left-questions.ts';
import { createProgramBudget } from './access/program-budget.ts';
import { type Clock, SpentRows } from './access/spent-rows.ts';
import { createActs } from './acts/acts.ts';
import { createAdministration } from './administration/administration.ts';
import { createPassphrase } from './administration/passphrase.ts';
import { ConnectionRows } from './connections/connection-rows.ts';
import { SavedConnections } from './connections/connections.ts';
import { StoredSecrets } from './connections/stored-secrets.ts';
import { createCopies } from './copies/copies.ts';
import { CopyJournal } from './copies/copy-journal.ts';
import { endsWithin, unlessAborted } from './ends-within.ts';
import { EventHub } from './events/events.ts';
import { createExports } from './export/exports.ts';
import { createHistoryAs } from './history/history-as.ts';
import { createImports } from './imports/imports.ts';
import { JobList } from './jobs/jobs.ts';
import { createKeptMaps } from './maps/kept-maps.ts';
import { ClosedColumns } from './masking/closed-columns.ts';
import { createMaskOf } from './masking/mask-of.ts';
import { openLogs } from './open-logs.ts';
import { own } from './own-text.ts';
import { createDriverCatalog } from './plugins/driver-catalog.ts';
import { driverWords } from './plugins/driver-words.ts';
import { openConnections } from './plugins/open-connections.ts';
import { CallRunner } from './queries/call-runner.ts';
import { createSessions } from './queries/create-sessions.ts';
import { createData } from './queries/data.ts';
import { type PinnedRegistry, Registry } from './registry/registry.ts';
import { RegistryStore } from './registry/registry-store.ts';
import { openSecretStore } from './secrets/open-secret-store.ts';
import { SessionPool } from './sessions/session-pool.ts';
import { noteDamage } from './settings/damage.ts';
import { createSettings } from './settings/settings.ts';
import { createUiState } from './settings/ui-state.ts';
import { createWindowRecords } from './settings/window-records.ts';
import { createStaged } from './staged/staged.ts';
import { setAsideDamagedRows } from './storage/damaged-rows.ts';
import { openOrSetAside } from './storage/set-aside.ts';
import { defaultTiming, type Timing } from './timing.ts';
import { createTokens } from './tokens/tokens.ts';
import type { ApprovalsQueue, Core, Platform } from './types.ts';

export interface CoreOptions {
  /** The data directory. If it does not exist, it is created, readable by its owner only. */
  home: string;
  /** The built entry file of the driver host. */
  hostEntry: string;
  /** Folders with a manifest.json and the driver that it names. */
  bundledDrivers: string[];
  /** The driver registry and its signing keys. Without it, there is no registry until the user names one. */
  registry?: PinnedRegistry;
  /** A registry address from the environment that replaces all others. */
  registryOverride?: string;
  /** The kind of build. Defaults to `desktop`. */
  platform?: Platform;
  log?: Logger;
  /** `file`: do not use the keychain. */
  secretStore?: 'auto' | 'file';
  timing?: Partial<Timing>;
  /** Only for tests. */
  clock?: Clock;
  /** If aborted, `createCore` stops waiting for the secret store and throws. */
  signal?: AbortSignal;
}

const accessChanged = own`The access of external clients to this connection has changed`;
const madeWay = own`The user needed this database while it was locked, so an external client's request was ended. Run it again; if it writes, first check whether it was stored.`;
const tokenEnded = { revoked: own`The token was revoked`, deleted: own`The token was deleted` };

const machineClock: Clock = { sinceBoot: () => uptime() * 1000, timeOfDay: () => Date.now() };

/** Creates the parts of the core and connects them. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { home, hostEntry } = options;
  const log = options.log ?? pino({ level: 'silent' });
  const timing: Timing = { ...defaultTiming, ...options.timing };

  const { storage, setAside } = openOrSetAside(home);
  try {
    const uiState = createUiState(storage);
    // In one transaction: no damaged entry may be set aside without a message to the user.
    const damage = storage.transaction(() =>
      noteDamage({ home, setAside, rows: setAsideDamagedRows(storage), uiState, log }),
    );
    const events = new EventHub(log);
    const jobs = new JobList({ events, log });
    const settings = createSettings(storage, events);
    const tokens = createTokens(storage, events);
    const choice = options.secretStore ?? 'auto';
    const secrets = await unlessAborted(
      openSecretStore({ home, choice, probeMs: timing.keychainProbeMs, log }),
      options.signal,
    );
    const logs = openLogs({
      storage,
      secrets: secrets.store,
      events,
      limits: () => settings.get(),
      anchorMs: timing.anchorMs,
      activityDays: timing.activityDays,
      retryMs: timing.logRetryMs,
      log,
    });
    const { history, activity, removals } = logs;

    const registryStore = new RegistryStore(storage);
    const registry = new Registry({
      store: registryStore,
      pinned: options.registry ?? null,
      override: options.registryOverride ?? null,
      log,
      onChange: () => events.emit({ type: 'registryChanged' }),
    });
    const drivers = createDriverCatalog({
      home,
      hostEntry,
      bundledDrivers: options.bundledDrivers,
      platform: options.platform ?? 'desktop',
      registry,
      store: registryStore,
      loadMs: timing.loadMs,
      hasConnections: (driver) => connections.list().some((one) => one.driver === driver),
      events,
      jobs,
      log,
      openConnections: (driver) => openConnections(driver, { connections, isOpen: (id) => pool.isOpen(id) }),
      openSessions: (driver) =>
        connections
          .list()
          .filter((one) => one.driver === driver)
          .reduce((sum, { id }) => sum + pool.countOpen(id), 0),
    });
    const isSerial = (id: string) => drivers.get(connections.get(id)?.driver ?? '')?.concurrency === 'serial';
    const pool = new SessionPool({
      opener: (id) => connections.opener(id),
      isSerial,
      endClientCalls: (id) => runner.cancelClientsAtWork(id, madeWay),
      timing,
      log,
      events,
    });
    const connections: SavedConnections = new SavedConnections({
      rows: new ConnectionRows(storage),
      secrets: new StoredSecrets(secrets.store, log),
      drivers,
      pool,
      events,
      home,
      hostEntry,
      timing,
      log,
      onAccessChanged: (id) => runner.cancelClients(id, accessChanged),
      onMoved: (id) => approvals.endConnection(id),
      onFieldsChanged: (id) => {
        endpoints.endConnection(id);
        approvals.endKeys(id);
      },
    });

    const maskOf = createMaskOf({ connections, drivers });
    const endpoints = new EndpointApprovals(storage, () => events.emit({ type: 'approvalsChanged' }));
    const queue = new ApprovalQueue({
      events,
      waitMs: timing.approvalMs,
      driverOf: (id) => driverWords(drivers, connections.get(id)?.driver),
    });
    const passphrase = createPassphrase(secrets.store);
    const left = new LeftQuestions({ events, keepMs: timing.leftQuestionMs });
    const hasPassphrase = () => passphrase.isSet().catch(() => false);
    const leave = createLeaveQuestion({ queue, left, hasPassphrase });
    const approvals: Approvals = new Approvals({
      queue,
      left,
      leave,
      refusalMs: timing.refusalMs,
      events,
      onWithdrawn: (grant) => runner.cancelClient(grant, own`The user withdrew the approval`),
      onEndpoints(caller, connection, need) {
        endpoints.add(caller, connection, need);
        const places = need.endpoints.map(({ setting, value }) => `${setting} = ${value}`).join('; ');
        const [{ table = '' } = {}] = need.endpoints;
        activity.record({
          action: 'approve_endpoint',
          connectionId: connection.id,
          outcome: 'ok',
          detail: [table, need.keys.join(', '), places].join(': '),
        });
      },
    });
    const answers: ApprovalsQueue = {
      pending: () =>
        [
          ...queue.pending(),
          ...left.pending().filter(({ connection }) => connections.get(connection.id)),
        ].sort((one, other) => one.askedAt.localeCompare(other.askedAt)),
      answer: (id, answer) => left.answer(id, answer) || queue.answer(id, answer),
      granted: () =>
        [...approvals.granted(), ...endpoints.granted((id) => connections.get(id)?.name)].filter(
          ({ connection }) => connections.get(connection.id),
        ),
      withdraw: (id) => endpoints.withdraw(id) || approvals.withdraw(id),
      presence: () => queue.presence(),
      setPresence: (presence) => queue.setPresence(presence),
    };
    const gate = createGate((id) => connections.get(id), approvals);
    const clock = options.clock ?? machineClock;
    const budget = new HourlyBudget({
      rows: new SpentRows(storage, clock),
      clock,
      hourMs: timing.budgetMs,
      onUnstored: (error) => log.error({ err: error }, 'The count of written rows could not be stored'),
    });
    const holders = createBudgetHolders({
      find: (id) => connections.get(id),
      manifestOf: (driver) => drivers.manifestOf(driver),
      limits: () => settings.get(),
      token: (id) => tokens.list().find((one) => one.id === id),
      hourMs: timing.budgetMs,
    });
    const budgetOf = createCallBudgets({
      budget,
      holders,
      queue,
      left,
      leave,
      gate,
      find: (id) => connections.get(id),
      record: (entry) => activity.record(entry),
      refusalMs: timing.refusalMs,
    });
    const runner: CallRunner = new CallRunner({
      budgetOf,
      gate,
      sessions: pool,
      log: logs.queue,
      maskOf,
      reachOf: (caller, id) => (caller.kind === 'person' ? undefined : connections.get(id)?.reachLimit),
      closed: new ClosedColumns(events),
      endpoints: (id) => endpoints.of(id),
    });
    tokens.onInvalid((id, act) => {
      runner.cancelToken(id, tokenEnded[act]);
      approvals.endToken(id);
    });

    const data = createData({ runner, gate, sessions: pool, settings, events });
    const records = createWindowRecords(storage, events);
    const staged = createStaged({ data, storage, events, log });
    const imports = createImports(data);
    const copies = createCopies({
      data,
      connections,
      isSerial,
      journal: new CopyJournal(storage),
      jobs,
    });
    const acts = createActs({ data, jobs });
    const exports = createExports(data);

    return {
      drivers,
      connections,
      sessions: createSessions({ pool, runner, gate, connections }),
      data,
      staged,
      imports,
      jobs,
      exports,
      history: { ...history, searchAs: createHistoryAs({ history, connections, maskOf }) },
      activity,
      removals,
      approvals: answers,
      tokens,
      passphrase,
      administer: (actor) =>
        createAdministration(
          {
            connections,
            tokens,
            approvals: answers,
            activity,
            passphrase,
            settings,
            imports,
            copies,
            acts,
            exports,
            data,
            budget: createProgramBudget(budget, holders),
          },
          actor,
        ),
      settings,
      uiState,
      damage,
      records,
      maps: createKeptMaps(storage, settings, events),
      secrets: secrets.info,
      events,
      logUse: () => logs.use(),
      async close() {
        left.close();
        queue.close();
        staged.close();
        const calls = Promise.all([jobs.close(), drivers.close(), runner.close()]);
        const all = calls.then(() => Promise.all([logs.close(), connections.close(), pool.closeAll()]));
        // A driver that hangs or a locked keychain must not keep the log and the storage open.
        if ((await endsWithin(all, timing.closeMs)) === 'late')
          log.error('Not every call and driver has ended');
        budget.close();
        secrets.store.close();
        logs.queue.close();
        storage.close();
      },
    };
  } catch (error) {
    storage.close();
    throw error;
  }
}
