import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { dbhub, installDbhub } from './dbhub.ts';
import { goals } from './goals.ts';
import { openHttp } from './http-client.ts';
import { type Benchmark, type Figure, inTurns, timed } from './measure.ts';
import { amountOf, driverHostsOf, needProc } from './process-memory.ts';
import { firstAnswer, initialize, type McpResult, openStdio, type StdioClient } from './stdio-client.ts';
import { type RunningApp, sharedConnection, stdioBridge, withApp, withHome } from './trestle.ts';

const query = 'SELECT id, name, city, born FROM people ORDER BY id LIMIT 20';
const against = 'DBHub over stdio';

/** Compares Trestle with DBHub, with the same query on the same SQLite file. */
export const besideDbhub: Benchmark = {
  name: 'dbhub',
  async run() {
    needProc();
    await installDbhub();
    return withHome(async (home) => {
      const file = join(home, 'people.db');
      makePeople(file);
      const connection = await sharedConnection(home, file);
      return withApp(home, async (app) => [
        await untilTools(home, file),
        ...(await perCall({ home, file, connection })),
        ...(await perClient({ app, home, file, connection })),
      ]);
    });
  },
};

async function untilTools(home: string, file: string): Promise<Figure> {
  const taken = await inTurns(
    { rounds: 15, warmUp: 2 },
    { bridge: () => firstAnswer(stdioBridge(home)), dbhub: () => firstAnswer(dbhub(file)) },
  );
  return {
    name: 'fresh client to tools/list, app running',
    unit: 'ms',
    subject: taken.bridge,
    baseline: taken.dbhub,
    against,
    goal: goals.freshClient,
  };
}

interface Place {
  home: string;
  file: string;
  connection: string;
}

/** These times have no goal. `bridge.ts` has a goal for the time that the bridge adds to a call. */
async function perCall({ home, file, connection }: Place): Promise<Figure[]> {
  const http = openHttp(home);
  const bridge = openStdio(stdioBridge(home));
  const peer = openStdio(dbhub(file));
  const ours = { name: 'execute_query', arguments: { connection_id: connection, query } };
  try {
    await Promise.all([initialize(bridge), initialize(peer)]);
    // Lists and queries together stay below the rate limit of one client.
    const options = { rounds: 300, warmUp: 100 };
    const lists = await inTurns(options, {
      http: () => timed(() => http.ask('tools/list', {})),
      bridge: () => timed(() => bridge.ask('tools/list', {})),
      dbhub: () => timed(() => peer.ask('tools/list', {})),
    });
    const queries = await inTurns(options, {
      http: () => timed(async () => expectRows(await http.ask('tools/call', ours))),
      bridge: () => timed(async () => expectRows(await bridge.ask('tools/call', ours))),
      dbhub: () => timed(() => queryPeer(peer)),
    });
    const figure = (name: string, subject: number[], baseline: number[]): Figure => ({
      name,
      unit: 'ms',
      subject,
      baseline,
      against,
    });
    return [
      figure('tools/list over HTTP', lists.http, lists.dbhub),
      figure('tools/list through the bridge', lists.bridge, lists.dbhub),
      figure('execute_query over HTTP', queries.http, queries.dbhub),
      figure('execute_query through the bridge', queries.bridge, queries.dbhub),
    ];
  } finally {
    http.close();
    await Promise.all([bridge.end(), peer.end()]);
  }
}

const clientsAtOnce = 4;
const settleMs = 3000;

/** The memory of each further client, with and without the growth of the app and its driver host. */
async function perClient({ app, home, file, connection }: Place & { app: RunningApp }): Promise<Figure[]> {
  const ours = { name: 'execute_query', arguments: { connection_id: connection, query } };
  const served = [app.pid, ...driverHostsOf(app.pid)];
  const held = () => served.reduce((sum, pid) => sum + amountOf(pid).rss, 0);
  const bridges: StdioClient[] = [];
  const peers: StdioClient[] = [];
  try {
    const before = held();
    for (let index = 0; index < clientsAtOnce; index++) {
      bridges.push(openStdio(stdioBridge(home)));
      peers.push(openStdio(dbhub(file)));
    }
    await Promise.all([
      ...bridges.map((client) => use(client, async () => expectRows(await client.ask('tools/call', ours)))),
      ...peers.map((client) => use(client, () => queryPeer(client))),
    ]);
    await delay(settleMs);
    const growth = (held() - before) / clientsAtOnce;
    const subject = bridges.map(({ pid }) => amountOf(pid));
    const baseline = peers.map(({ pid }) => amountOf(pid));
    const figure = (name: string, of: 'rss' | 'pss', more = 0): Figure => ({
      name: `each further client, ${name}`,
      unit: 'MB',
      subject: subject.map((amount) => amount[of] + more),
      baseline: baseline.map((amount) => amount[of]),
      against,
      goal: goals.furtherClient,
    });
    return [
      figure('bridge (RSS)', 'rss'),
      figure('bridge + growth of the app (RSS)', 'rss', growth),
      figure('bridge (PSS)', 'pss'),
    ];
  } finally {
    await Promise.all([...bridges, ...peers].map((client) => client.end()));
  }
}

async function use(client: StdioClient, ask: () => Promise<void>): Promise<void> {
  await initialize(client);
  await client.ask('tools/list', {});
  for (let count = 0; count < 20; count++) await ask();
}

async function queryPeer(peer: StdioClient): Promise<void> {
  expectRows(await peer.ask('tools/call', { name: 'execute_sql', arguments: { sql: query } }));
}

/** Checks that the answer has rows, because an answer without rows would be faster. */
function expectRows(result: McpResult): void {
  if (!JSON.stringify(result).includes('Person 20')) throw new Error(`No rows: ${JSON.stringify(result)}`);
}

function makePeople(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT, born INTEGER)');
  const insert = database.prepare('INSERT INTO people VALUES (?, ?, ?, ?)');
  for (let id = 1; id <= 500; id++) insert.run(id, `Person ${id}`, `City ${id % 40}`, 1940 + (id % 60));
  database.close();
}
