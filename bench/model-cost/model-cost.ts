import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVectorNode } from '@trestle/vector-node';
import { createUsualCollection } from '../../tests/mcp/usual-collection.ts';
import { dbhub, installDbhub } from '../dbhub.ts';
import { goals } from '../goals.ts';
import type { Benchmark, Figure } from '../measure.ts';
import { openStdio } from '../stdio-client.ts';
import type { StdioCommand } from '../stdio-command.ts';
import { dist, stdioBridge, withApp, withHome } from '../trestle.ts';
import { answerCosts } from './answer-costs.ts';
import { costTable } from './cost-table.ts';
import { runTasks } from './run-tasks.ts';
import { sqliteTasks } from './sqlite-tasks.ts';
import { type Call, type Half, type Task, totalOf } from './task.ts';
import { weaviateTasks } from './weaviate-tasks.ts';

/** The cost of 24 tasks for a model: the tokens that it reads and writes, and the round trips. */
export const modelCost: Benchmark = {
  name: 'model-cost',
  async run() {
    const { sqlite, weaviate } = await trestleHalves();
    const peer = await dbhubHalf();
    console.log(costTable('The SQLite sample', sqlite, peer));
    console.log(costTable('The Weaviate sample', weaviate));
    const figure: Figure = {
      name: '12 tasks on the SQLite sample, catalogue included',
      unit: 'tokens',
      subject: [totalOf(sqlite)],
      baseline: [totalOf(peer)],
      against: 'DBHub over stdio',
      goal: goals.sqliteHalf,
    };
    const budgets = await withUsualCollection((port) =>
      withHome((home) => withApp(home, () => answerCosts(home, port))),
    );
    return [...budgets, figure];
  },
};

async function withUsualCollection<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
  const node = await startVectorNode({ seed: false });
  try {
    await createUsualCollection(node.port);
    return await work(node.port);
  } finally {
    await node.stop();
  }
}

/** Runs the tasks of both samples on one fresh app. Each sample has its own client. */
export function trestleHalves(): Promise<{ sqlite: Half; weaviate: Half }> {
  return withHome((home) =>
    withApp(home, async () => ({
      sqlite: await runHalf(stdioBridge(home), sqliteTasks, ({ trestle }) => trestle),
      weaviate: await runHalf(stdioBridge(home), weaviateTasks, ({ trestle }) => trestle),
    })),
  );
}

async function dbhubHalf(): Promise<Half> {
  await installDbhub();
  return withHome((home) => {
    const file = join(home, 'sample.db');
    copyFileSync(join(dist, 'sample', 'trestle-sample.db'), file);
    return runHalf(dbhub(file), sqliteTasks, ({ dbhub: calls = [] }) => calls);
  });
}

async function runHalf(command: StdioCommand, tasks: Task[], callsOf: (task: Task) => Call[]): Promise<Half> {
  const client = openStdio(command);
  try {
    return await runTasks(client, tasks, callsOf);
  } finally {
    await client.end();
  }
}
