import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Connection, ConnectionDraft, Core } from '@trestle/core';
import { createEmbedder, digestOf, startVectorNode, type VectorNode } from '@trestle/vector-node';
import type { Logger } from '../log.ts';

const driver = 'weaviate';
const host = '127.0.0.1';

/**
 * A key of `core.uiState`, set after the first start of the sample node. It stays after the connection is deleted, so the
 * sample does not come back.
 */
const rememberedAs = 'app.sampleNode';
interface Remembered {
  connectionId: string;
  keyDigest: string;
}

interface NodeSample {
  readonly connectionId: string;
  /** Undoes every edit. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The sample node and its connection. Undefined if the user deleted the connection or changed its host, or if the
 * driver is not known yet.
 */
export async function openNodeSample(
  core: Core,
  options: { dist: string; dataDirectory: string; log: Logger },
): Promise<NodeSample | undefined> {
  const remembered = core.uiState.get(rememberedAs) as Remembered | undefined;
  const connection = remembered
    ? core.connections.get(remembered.connectionId)
    : core.connections.list().find((one) => one.sample && one.driver === driver);
  if ((remembered && !connection) || !core.drivers.get(driver)) return undefined;
  if (connection && !isNodeSample(connection)) return undefined;

  const key = remembered ? undefined : randomBytes(32).toString('base64url');
  const keyDigest = remembered?.keyDigest ?? digestOf(key ?? '');
  const node = await startVectorNode({
    port: Number(connection?.fields.port ?? 0),
    keyDigest,
    dataFolder: join(options.dataDirectory, 'samples', 'vector-node'),
    embed: createEmbedder(join(options.dist, 'sample', 'word-vectors.bin')),
    onLoadFailed: (error) => options.log.error({ err: error }, 'the sample node could not load its data'),
  });
  try {
    const { id } = await connect(core, connection, { port: node.port, key });
    if (!remembered) core.uiState.set(rememberedAs, { connectionId: id, keyDigest } satisfies Remembered);
    return { connectionId: id, reset: () => node.reset(), close: closeWith(core, id, node) };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** False for another driver, and if the user changed the connection's host. */
export function isNodeSample(connection: Connection): boolean {
  return connection.driver === driver && connection.fields.host === host;
}

/** The connection with the port of this run: created, updated, or left alone. */
async function connect(
  core: Core,
  connection: Connection | undefined,
  { port, key }: { port: number; key: string | undefined },
): Promise<Connection> {
  const secret: Fields = key === undefined ? {} : { authMethod: 'apiKey', apiKey: key };
  if (!connection) {
    const made = await core.connections.create(draftOf({ host, port, ...secret }), { sample: true });
    putBeforeOtherSamples(core, made.id);
    return made;
  }
  if (connection.fields.port === port && key === undefined) return connection;
  const { id, storedSecrets, sample, createdAt, updatedAt, ...draft } = connection;
  return core.connections.update(id, { ...draft, fields: { ...draft.fields, port, ...secret } });
}

type Fields = ConnectionDraft['fields'];

function draftOf(fields: Fields): ConnectionDraft {
  return {
    name: 'Sample: Weaviate',
    driver,
    fields,
    externalClients: 'readWrite',
    aiPolicy: 'alwaysAllow',
    safeMode: 'off',
    color: null,
  };
}

function putBeforeOtherSamples(core: Core, id: string): void {
  const others = core.connections.list().filter((one) => one.id !== id);
  const at = others.findIndex((one) => one.sample);
  if (at < 0) return;
  const ids = others.map((one) => one.id);
  core.connections.reorder([...ids.slice(0, at), id, ...ids.slice(at)]);
}

/** Returns a function that stops the node. The node also stops when the user deletes its connection. */
function closeWith(core: Core, id: string, node: VectorNode): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = () => {
    stop();
    closing ??= node.stop();
    return closing;
  };
  const stop = core.events.on(({ type }) => {
    if (type === 'connectionsChanged' && !core.connections.get(id)) void close();
  });
  return close;
}
