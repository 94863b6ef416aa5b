import { type Figure, type Goal, median } from './measure.ts';

const heads = ['', 'Trestle', 'min', 'against', 'baseline', 'min', 'ratio', 'of mins', 'goal', ''];
const textColumns = new Set([0, 3, 8, 9]);

/** One line per figure. Other load on the machine affects the ratio of the minima least. */
export function table(figures: Figure[]): string {
  return columnsOf([heads, ...figures.map(cellsOf)], textColumns);
}

/** The lines in columns, the first line underlined. Text is aligned left, amounts right. */
export function columnsOf(lines: string[][], textColumns: ReadonlySet<number>): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const drawn = lines.map((line) =>
    line
      .map((cell, column) =>
        textColumns.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
  return [drawn[0], '-'.repeat(Math.max(...drawn.map((line) => line.length))), ...drawn.slice(1)].join('\n');
}

function cellsOf({ name, unit, subject, baseline, against, goal }: Figure): string[] {
  const amount = (value: number) => `${rounded(value)} ${unit}`;
  const mins = [Math.min(...subject), Math.min(...baseline)] as const;
  const medians = [median(subject), median(baseline)] as const;
  return [
    name,
    amount(medians[0]),
    amount(mins[0]),
    against,
    amount(medians[1]),
    amount(mins[1]),
    `${rounded(medians[0] / medians[1])}×`,
    `${rounded(mins[0] / mins[1])}×`,
    goal ? goalText(goal, unit) : '',
    goal ? (isMet(goal, ...medians) ? 'met' : 'not met') : '',
  ];
}

export function goalText({ of, most }: Goal, unit: string): string {
  if (of === 'ratio') return `≤ ${most}×`;
  const amount = `${most.toLocaleString('en')} ${unit}`;
  return of === 'subject' ? `≤ ${amount}` : `≤ +${amount}`;
}

export function isMet({ of, most }: Goal, subject: number, baseline: number): boolean {
  if (of === 'ratio') return subject / baseline <= most;
  return (of === 'subject' ? subject : subject - baseline) <= most;
}

/** At most two decimals, and none from 100 on: more decimals would be noise on a busy machine. */
export function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
