import { type DeclaredGoal, goals } from './goals.ts';
import { type Figure, median } from './measure.ts';
import { columnsOf, goalText, isMet, rounded } from './table.ts';

const heads = ['goal', 'this run', 'compared with', '', 'limit', ''];

/**
 * A figure with a goal gets one line: the figure's median, the peer or limit, and whether the goal was met. A goal
 * without a figure gets one line: how to measure the goal. `benches` are the benchmarks of this run. A run of one
 * benchmark leaves out the goals of the other benchmarks.
 */
export function goalTable(figures: Figure[], benches: string[], isWholeRun: boolean): string {
  const declared: DeclaredGoal[] = Object.values(goals);
  const lines = declared.flatMap((goal) => {
    const filled = figures.filter((figure) => figure.goal === goal);
    if (filled.length > 0) {
      const isAlone = filled.length === 1;
      return filled.map((one) => measuredLine(one, isAlone ? goal.what : `${goal.what}: ${one.name}`));
    }
    const isOfRun = goal.bench !== null && benches.includes(goal.bench);
    return isOfRun || isWholeRun ? [unmeasuredLine(goal)] : [];
  });
  // The type `Figure` allows a goal that `goals.ts` does not list.
  const others = figures.filter(({ goal }) => goal && !declared.includes(goal as DeclaredGoal));
  const all = [...lines, ...others.map((figure) => measuredLine(figure, figure.name))];
  if (all.length === 0) return '';
  const met = all.filter((line) => line.at(-1) === 'met').length;
  const missed = all.filter((line) => line.at(-1) === 'MISSED').length;
  const sum = `${met} met, ${missed} missed, ${all.length - met - missed} not measured in this run`;
  return `${columnsOf([heads, ...all], new Set([0, 2, 4, 5]))}\n${sum}`;
}

function measuredLine({ unit, subject, baseline, against, goal }: Figure, what: string): string[] {
  const [own, peer] = [median(subject), median(baseline)];
  const amount = (value: number) => `${rounded(value)} ${unit}`;
  const isLimit = goal!.of === 'subject';
  return [
    what,
    amount(own),
    isLimit ? 'a limit' : against,
    isLimit ? '' : amount(peer),
    goalText(goal!, unit),
    isMet(goal!, own, peer) ? 'met' : 'MISSED',
  ];
}

function unmeasuredLine(goal: DeclaredGoal): string[] {
  const how = goal.bench === null ? `shown by ${goal.shownBy}` : `--only ${goal.bench}`;
  return [goal.what, '', '', '', goalText(goal, goal.unit), `not measured (${how})`];
}
