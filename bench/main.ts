import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { answers } from './answers.ts';
import { appStart } from './app-start.ts';
import { appStop } from './app-stop.ts';
import { besideDbhub } from './beside-dbhub.ts';
import { bridge } from './bridge.ts';
import { bundle } from './bundle.ts';
import { connect } from './connect.ts';
import { copying } from './copy.ts';
import { goalTable } from './goal-table.ts';
import { importing } from './import.ts';
import { linear } from './linear.ts';
import { many } from './many.ts';
import { map } from './map.ts';
import { type Benchmark, type Figure, Skipped } from './measure.ts';
import { memory } from './memory.ts';
import { modelCost } from './model-cost/model-cost.ts';
import { npmStart } from './npm-start.ts';
import { paintedPage } from './painted-page.ts';
import { rows } from './rows.ts';
import { size } from './size.ts';
import { table } from './table.ts';
import { vectors } from './vectors.ts';
import { weaviate } from './weaviate.ts';
import { windowAtWork } from './window.ts';

const benchmarks: Benchmark[] = [
  appStart,
  appStop,
  npmStart,
  memory,
  rows,
  vectors,
  weaviate,
  connect,
  importing,
  copying,
  bundle,
  paintedPage,
  windowAtWork,
  map,
  many,
  size,
  bridge,
  besideDbhub,
  modelCost,
  answers,
  linear,
];

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const chosen = values.only
  ? benchmarks.filter(({ name }) => name === values.only)
  : benchmarks.filter(({ byNameOnly }) => !byNameOnly);
if (chosen.length === 0) {
  console.error(`No benchmark ${values.only}. There are: ${benchmarks.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const figures: Figure[] = [];
const skipped: string[] = [];
for (const { name, run } of chosen) {
  process.stderr.write(`Measuring ${name} …\n`);
  try {
    figures.push(...(await run()));
  } catch (error) {
    if (error instanceof Skipped) skipped.push(`Skipped ${name}: ${error.message}`);
    else {
      console.error(`${name} failed:`, error);
      process.exitCode = 1;
    }
  }
}
console.log(table(figures));
for (const line of skipped) console.log(line);
const benches = chosen.map(({ name }) => name);
console.log(`\n${goalTable(figures, benches, values.only === undefined)}`);
console.log(`Medians. Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);
if (values.json) {
  const machine = {
    node: process.version,
    platform: process.platform,
    cores: cpus().length,
    load: loadavg(),
  };
  writeFileSync(values.json, `${JSON.stringify({ machine, figures, skipped }, null, 2)}\n`);
}
