import { isGuarded, maskedColumn, parseCell, splitList } from '@trestle/driver-kit';
import { parse } from 'graphql';
import { tokenize } from '../drivers/sqlite/src/tokenizer.ts';
import { partsIn } from '../drivers/weaviate/src/explain-score.ts';
import { matchedWords } from '../drivers/weaviate/src/matched-words.ts';
import { readRestLine } from '../drivers/weaviate/src/rest-line.ts';
import { selectionSize } from '../drivers/weaviate/src/selection-size.ts';
import { readStrictJson } from '../drivers/weaviate/src/strict-json.ts';
import { readRows } from '../packages/core/src/imports/read-rows.ts';
import { holdsPersonal } from '../packages/driver-kit/src/personal-text.ts';
import { goals } from './goals.ts';
import { type Benchmark, inTurns } from './measure.ts';

const size = 500_000;
const chunk = 64 * 1024;

/**
 * Measures each reader of foreign text with n and with 4 n characters. If a reader reads parts of the text
 * repeatedly, the long text takes more than four times as long.
 */
export const linear: Benchmark = {
  name: 'linear',
  async run() {
    const figures = [];
    for (const [name, read, make] of readers) {
      const [short, long] = [make(size), make(4 * size)];
      const taken = await inTurns(
        { rounds: 5 },
        { short: () => worked(() => read(short)), long: () => worked(() => read(long)) },
      );
      figures.push({
        name,
        unit: 'ms' as const,
        subject: taken.long,
        baseline: taken.short,
        against: 'a quarter of it',
        goal: goals.linear,
      });
    }
    return figures;
  },
};

/** Milliseconds of this process's CPU time. The time on the clock would include other load on the machine. */
async function worked(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

type Reader = [name: string, read: (text: string) => unknown, make: (size: number) => string];

const readers: Reader[] = [
  ['JSON file, one long number', readFile, (n) => `[${'1'.repeat(n)}]`],
  ['JSON file, many rows', readFile, (n) => `[${'{"a":1},'.repeat(n / 8)}{"a":1}]`],
  ['JSON lines, one long line', readFile, (n) => `{"a":"${'x'.repeat(n)}"}`],
  ['CSV, one long field', readFile, (n) => `a,b\n1,"${'x""'.repeat(n / 3)}"`],
  ['CSV, many columns', readFile, (n) => Array.from({ length: n / 8 }, (_, at) => `c${at}`).join(',')],
  ['file of blanks', readFile, (n) => `${'\n'.repeat(n)}a`],
  ['SQL, many tokens', tokenize, (n) => "SELECT 'a', -- b\n".repeat(n / 17)],
  ['SQL, one long text', tokenize, (n) => `'${"a''".repeat(n / 3)}`],
  ['request line, many keys', readRestLine, (n) => `POST /objects {${keys(n / 12)}}`],
  ['JSON body, one long text', readStrictJson, (n) => `"${'\\u0041'.repeat(n / 6)}"`],
  ['explained keyword search', words('word'), (n) => 'ab '.repeat(n / 3)],
  ['explained keyword search, trigrams', words('trigram'), (n) => 'ab '.repeat(n / 3)],
  ['explained hybrid search', partsIn, (n) => '(Result Set '.repeat(n / 12)],
  ['list of a filter', splitList, (n) => '"a,b", '.repeat(n / 7)],
  ['GraphQL, many fragments', (text) => selectionSize(parse(text)), fragments],
  ['masked cell, one long number', isPersonal, (n) => `01 ${'1'.repeat(n)}x`],
  ['masked cell, many @', isPersonal, (n) => `${'@'.repeat(n)} `],
  ['masked cell, marks on one letter', isPersonal, (n) => `a${'\u0315\u0300'.repeat(n / 2)}`],
  ['masked column, a long name', (name) => isGuarded(starred, 't', name), (n) => 'a'.repeat(n)],
  ['cell, almost a number', (text) => parseCell(text, 'number'), (n) => `${'1'.repeat(n)}x`],
];

const starred = maskedColumn('*a*a*a*b*');

function words(tokenization: 'word' | 'trigram') {
  return (text: string) => matchedWords(text, [text], { tokenization }, new Set(['is']));
}

function isPersonal(text: string): boolean {
  return holdsPersonal(text, ['email', 'card', 'phone']);
}

/** A tree of fragments: each fragment uses two later ones. The second half uses fragments that do not exist. */
function fragments(size: number): string {
  const count = Math.floor(size / 45);
  const all = Array.from(
    { length: count },
    (_, at) => `fragment F${at} on A { ...F${2 * at + 1} ...F${2 * at + 2} }`,
  );
  return `{ Get { A { ...F0 } } } ${all.join(' ')}`;
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',');
}

/** Passes the text in chunks, like a file. */
async function readFile(text: string): Promise<void> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk);
  }
  for await (const _rows of readRows(pieces()));
}
