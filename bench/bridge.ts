import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { goals } from './goals.ts';
import { bareRelay, modernMeta, openHttp, openLegacyHttp } from './http-client.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { firstAnswer, initialize, openStdio } from './stdio-client.ts';
import type { StdioCommand } from './stdio-command.ts';
import {
  dist,
  environment,
  sampleConnection,
  startApp,
  stdioBridge,
  stopApp,
  withApp,
  withHome,
} from './trestle.ts';

/**
 * Compares the bridge's start with the start of an empty program. Also measures the time that the bridge adds to a
 * call, and the bridge's start without a running app.
 */
export const bridge: Benchmark = {
  name: 'bridge',
  run: () =>
    withHome(async (home) => [
      ...(await withApp(home, async () => [await coldStart(home), ...(await perCall(home))])),
      ...(await coldMachine(home)),
    ]),
};

/** The bridge starts without the launcher's shell, because the empty program has no shell either. */
async function coldStart(home: string): Promise<Figure> {
  const command: StdioCommand = {
    command: process.execPath,
    args: [join(dist, 'trestle-mcp.cjs')],
    env: environment(home),
  };
  const taken = await inTurns(
    { rounds: 20, warmUp: 3 },
    {
      bridge: () => firstAnswer(command),
      node: () => timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit')),
    },
  );
  return {
    name: 'bridge cold start to tools/list',
    unit: 'ms',
    subject: taken.bridge,
    baseline: taken.node,
    against: 'node -e 0',
    goal: goals.coldStart,
  };
}

async function perCall(home: string): Promise<Figure[]> {
  const connection = await sampleConnection(home);
  const queried = { connection_id: connection, query: 'SELECT * FROM elements LIMIT 20' };
  return [
    await overhead(home, 'list_connections', {}),
    await overhead(home, 'execute_query', queried),
    await overhead(home, 'execute_query', queried, { legacy: true }),
    await besideRelay(home, 'execute_query', queried),
  ];
}

/** Each figure starts a new bridge, because each bridge process has its own rate limit. */
async function overhead(
  home: string,
  name: string,
  args: object,
  { legacy } = { legacy: false },
): Promise<Figure> {
  const client = openStdio(stdioBridge(home));
  const direct = legacy ? await openLegacyHttp(home) : openHttp(home);
  const call = { name, arguments: args };
  const sent = legacy ? call : { ...call, _meta: modernMeta };
  try {
    if (legacy) await initialize(client);
    const taken = await inTurns(
      { rounds: 250, warmUp: 100 },
      {
        bridge: () => timed(() => client.ask('tools/call', sent)),
        direct: () => timed(() => direct.ask('tools/call', call)),
      },
    );
    return {
      name: `${name} through the bridge${legacy ? ', older client' : ''}`,
      unit: 'ms',
      subject: taken.bridge,
      baseline: taken.direct,
      against: 'the same over HTTP',
      goal: goals.bridgeCall,
    };
  } finally {
    direct.close();
    await client.end();
  }
}

/** Compares the bridge with a bare relay, because any second process adds time. */
async function besideRelay(home: string, name: string, args: object): Promise<Figure> {
  const client = openStdio(stdioBridge(home));
  const relay = openStdio(bareRelay(home, name));
  const sent = { name, arguments: args, _meta: modernMeta };
  try {
    const taken = await inTurns(
      { rounds: 250, warmUp: 100 },
      {
        bridge: () => timed(() => client.ask('tools/call', sent)),
        relay: () => timed(() => relay.ask('tools/call', sent)),
      },
    );
    return {
      name: `${name} through the bridge, beside a bare relay`,
      unit: 'ms',
      subject: taken.bridge,
      baseline: taken.relay,
      against: 'a bare relay process',
    };
  } finally {
    await relay.end();
    await client.end();
  }
}

/** The app is not running: the bridge starts the app and answers the client. An earlier run made the data directory. */
async function coldMachine(home: string): Promise<Figure[]> {
  const connection = await withApp(home, () => sampleConnection(home));
  const queried: number[] = [];
  const taken = await inTurns(
    { rounds: 7, warmUp: 0 },
    {
      tools: async () => {
        const started = performance.now();
        const client = openStdio(stdioBridge(home));
        try {
          await initialize(client);
          await client.ask('tools/list', {});
          const listed = performance.now() - started;
          const args = { connection_id: connection, query: 'SELECT 1' };
          await client.ask('tools/call', { name: 'execute_query', arguments: args });
          queried.push(performance.now() - started);
          return listed;
        } finally {
          await client.end();
          await stopApp(home);
        }
      },
      app: async () => {
        const started = performance.now();
        const app = await startApp(home);
        const ready = performance.now() - started;
        await app.stop();
        return ready;
      },
    },
  );
  const common = { unit: 'ms' as const, baseline: taken.app, against: 'trestle start, ready' };
  return [
    { name: 'app not running to tools/list', subject: taken.tools, ...common },
    { name: 'app not running to the first rows', subject: queried, ...common },
  ];
}
