import { AppError, type Connection, type Core } from '@trestle/core';
import type { Logger } from '../log.ts';
import { isNodeSample, openNodeSample } from './node-sample.ts';
import { type SampleQuerySet, sampleQuerySets } from './sample-query-sets.ts';
import { type SampleSearch, sampleSearches } from './sample-searches.ts';
import { isSqliteSample, makeSqliteSampleOnce, resetSqliteSample } from './sqlite-sample.ts';

export interface Samples {
  /** Restores a sample's original data. Refuses a connection that is not a sample. */
  reset(connectionId: string): Promise<void>;
  searches(): SampleSearch[];
  querySets(): SampleQuerySet[];
  close(): Promise<void>;
}

/**
 * Creates the samples at the first start. Starts the sample node at each start, unless the user deleted its connection
 * or changed the connection's host. Failures are logged: the app works without samples.
 */
export async function openSamples(
  core: Core,
  options: { dist: string; dataDirectory: string; log: Logger },
): Promise<Samples> {
  const logged = (error: unknown) =>
    options.log.error({ err: error }, 'a sample could not be made or started');
  let node = await openNodeSample(core, options).catch(logged);
  // The Weaviate driver may be unknown until the registry's index is loaded. So until the node runs, each change of the
  // registry tries to start it. One attempt at a time: two would create two nodes and two connections.
  let opening: Promise<void> = Promise.resolve();
  const stop = core.events.on(({ type }) => {
    if (type !== 'registryChanged' || node) return;
    opening = opening
      .then(async () => {
        node ??= await openNodeSample(core, options);
      })
      .catch(logged);
  });
  await makeSqliteSampleOnce(core, options).catch(logged);
  // Empty without a sample node, and after the user has deleted its connection.
  const onNode = <Item>(read: (connectionId: string) => Item[]): Item[] =>
    node && core.connections.get(node.connectionId) ? read(node.connectionId) : [];

  return {
    async reset(connectionId) {
      const connection = sampleOf(core, connectionId);
      if (isNodeSample(connection)) {
        if (node?.connectionId !== connectionId) throw notStarted(connection);
        await node.reset();
      } else if (isSqliteSample(connection, options)) {
        await whileClosed(core, connectionId, () => resetSqliteSample(options));
      } else throw notOurs(connection);
      core.events.emit({ type: 'schemaChanged', connectionId });
    },
    searches: () => onNode(sampleSearches),
    querySets: () => onNode(sampleQuerySets),
    async close() {
      stop();
      await opening;
      await node?.close();
    },
  };
}

function sampleOf(core: Core, id: string): Connection {
  const connection = core.connections.get(id);
  if (!connection) throw new AppError({ code: 'not_found', message: `There is no connection ${id}` });
  if (connection.sample) return connection;
  throw new AppError({ code: 'unsupported', message: `"${connection.name}" is not a sample` });
}

function notStarted({ name }: Connection): AppError {
  return new AppError({
    code: 'not_connected',
    message: `The sample node of "${name}" is not running`,
    hint: 'Start Trestle again. If this error stays, see the log.',
  });
}

function notOurs({ name }: Connection): AppError {
  return new AppError({
    code: 'unsupported',
    message: `"${name}" is no longer connected to the sample that came with Trestle`,
    hint: 'Only that sample can be restored.',
  });
}

/** Closes the connection while `work` runs. Then opens it again, unless it was disconnected before. */
async function whileClosed(core: Core, connectionId: string, work: () => void): Promise<void> {
  const wasOpen = core.sessions.status(connectionId).state !== 'disconnected';
  await core.sessions.close(connectionId);
  try {
    work();
  } finally {
    const signal = AbortSignal.timeout(30_000);
    // If the session does not open, its status says why.
    if (wasOpen) {
      await core.sessions.open({ caller: { kind: 'person' }, connectionId, signal }).catch(() => {});
    }
  }
}
