/**
 * The quality of a ranking, given the rows that are marked right. All values are from 0 to 1. Relevance
 * is binary: a row is right or not.
 */
export interface Metrics {
  precision: number;
  recall: number;
  /** The reciprocal rank of the first right row. */
  mrr: number;
  ndcg: number;
}

export const metricNames = ['precision', 'recall', 'mrr', 'ndcg'] as const satisfies (keyof Metrics)[];

export const metricLabels: Record<keyof Metrics, string> = {
  precision: 'Precision',
  recall: 'Recall',
  mrr: 'MRR',
  ndcg: 'nDCG',
};

/**
 * Metrics of the first k rows. Precision divides by k, as trec_eval does, so a list of fewer than k rows has a
 * lower precision. Null if no row is marked right.
 */
export function metricsAt(found: string[], right: Iterable<string>, k: number): Metrics | null {
  const wanted = new Set(right);
  if (wanted.size === 0) return null;
  // A row counts once, at its best rank.
  const first = [...new Set(found)].slice(0, k);
  const hits = first.map((key) => wanted.has(key));
  const count = hits.filter(Boolean).length;
  const at = hits.indexOf(true);
  const gain = hits.reduce((sum, isRight, rank) => sum + (isRight ? discount(rank) : 0), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(wanted.size, k); rank++) ideal += discount(rank);
  return {
    precision: count / k,
    recall: count / wanted.size,
    mrr: at < 0 ? 0 : 1 / (at + 1),
    ndcg: gain / ideal,
  };
}

/** The mean over the queries that have metrics; null if none has. */
export function meanMetrics(all: (Metrics | null)[]): Metrics | null {
  const known = all.filter((one) => one !== null);
  if (known.length === 0) return null;
  const mean = (name: keyof Metrics) => known.reduce((sum, one) => sum + one[name], 0) / known.length;
  return { precision: mean('precision'), recall: mean('recall'), mrr: mean('mrr'), ndcg: mean('ndcg') };
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 2);
}
