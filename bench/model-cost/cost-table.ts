import type { Cost, Half } from './task.ts';

/** Markdown with one line per task: round trips, tokens that the model reads and writes, and their sum. */
export function costTable(title: string, half: Half, peer?: Half): string {
  const heads = [title, ...columns, ...(peer ? columns.map((name) => `DBHub: ${name}`) : [])];
  const sums = (one: Half) => cells({ ...sumOf(one.tasks), read: sumOf(one.tasks).read + one.catalogue });
  return [
    heads,
    heads.map((_, index) => (index === 0 ? '-' : '-:')),
    ['Instructions and catalogue', ...catalogueCells(half), ...(peer ? catalogueCells(peer) : [])],
    ...half.tasks.map((task, index) => [task.question, ...cells(task), ...cellsAt(peer, index)]),
    ['**Together**', ...sums(half), ...(peer ? sums(peer) : [])],
  ]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

const columns = ['trips', 'read', 'written', 'tokens'];

function catalogueCells({ catalogue }: Half): string[] {
  return ['', number(catalogue), '', number(catalogue)];
}

function cellsAt(half: Half | undefined, index: number): string[] {
  const task = half?.tasks[index];
  return task ? cells(task) : [];
}

function cells({ trips, read, written }: Cost): string[] {
  return [trips, read, written, read + written].map(number);
}

function sumOf(tasks: Cost[]): Cost {
  const sum = (name: keyof Cost) => tasks.reduce((total, task) => total + task[name], 0);
  return { trips: sum('trips'), read: sum('read'), written: sum('written') };
}

function number(value: number): string {
  return value.toLocaleString('en');
}
