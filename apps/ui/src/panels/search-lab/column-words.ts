import type { SearchSupport } from '@trestle/driver-kit';
import { type LabColumn, settingsFor } from './comparison.ts';

/** How a column ranks its rows, such as `score by words`. The column's head shows this text beside the mode. */
export function aboutColumn(column: LabColumn, support: SearchSupport): string {
  const { fusions = [] } = support.options ?? {};
  const target = support.targetVectors.length > 1 && column.mode !== 'keyword';
  const vector =
    support.targetVectors.find((name) => name === column.targetVector) ?? support.targetVectors[0];
  const { targets, rerank } = settingsFor(column, support);
  if (rerank) return 'rerank score';
  const by = targets?.vectors.map(({ name }) => name).join(' + ') ?? vector;
  switch (column.mode) {
    case 'keyword':
      return 'score by words';
    case 'hybrid': {
      const fusion = fusions.find(({ name }) => name === column.fusion) ?? fusions[0];
      return [fusion && `${fusion.label.toLowerCase()} fusion`, target && `by ${by}`]
        .filter(Boolean)
        .join(' · ');
    }
    default:
      return target ? `distance by ${by}` : 'distance';
  }
}

/** Short texts for settings, such as `every word` or `autocut 1`. The column's head shows them. */
export function settingChips(column: LabColumn, support: SearchSupport, filterCount: number) {
  const { keywordColumns, allWords, targets, autocut, maxDistance, groupBy, rerank } = settingsFor(
    column,
    support,
  );
  const join = support.options?.joins?.find(({ name }) => name === targets?.join);
  const chips: { text: string; isLimit?: boolean }[] = [
    ...(keywordColumns ?? []).map(({ column: name, weight }) => ({ text: `${name} × ${weight}` })),
  ];
  if (allWords) chips.push({ text: 'every word' });
  if (targets && join) {
    const weights = join.weighted ? ` ${targets.vectors.map(({ weight }) => weight ?? 1).join(' : ')}` : '';
    chips.push({ text: `${join.label.toLowerCase()}${weights}` });
  }
  if (groupBy) chips.push({ text: `by ${groupBy.column}` });
  if (rerank) chips.push({ text: `reranked by ${rerank.column}` });
  if (autocut !== undefined) chips.push({ text: `autocut ${autocut}`, isLimit: true });
  if (maxDistance !== undefined) chips.push({ text: `distance ≤ ${maxDistance}`, isLimit: true });
  if (filterCount > 0 && !column.filtered) chips.push({ text: 'without the filters' });
  return chips;
}
