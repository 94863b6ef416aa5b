import { float32 } from '../store/float32.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Hit } from './hit.ts';
import { rangeOf } from './join-targets.ts';

interface HybridWeights {
  /** 1 is vector search only, 0 is keyword search only. */
  alpha: number;
  fusion: 'relativeScoreFusion' | 'rankedFusion';
}

interface ResultSet {
  name: string;
  weight: number;
  hits: { object: StoredObject; score: number }[];
}

/** Combines two rankings: by their scores, scaled to 0…1, or by their ranks. */
export function fuse(keyword: Hit[], vector: Hit[], { alpha, fusion }: HybridWeights): Hit[] {
  const sets: ResultSet[] = [
    {
      name: 'keyword,bm25',
      weight: 1 - alpha,
      hits: keyword.map(({ object, score = 0 }) => ({ object, score })),
    },
    {
      name: 'vector,hybridVector',
      weight: alpha,
      hits: vector.map(({ object, distance = 0 }) => ({ object, score: float32(1 - distance) })),
    },
  ];
  const fused = new Map<StoredObject, { score: number; explain: string }>();
  for (const { name, weight, hits } of sets) {
    if (weight === 0) continue;
    const scale = fusion === 'rankedFusion' ? rankScore : relativeScale(hits);
    hits.forEach(({ object, score }, rank) => {
      const part = scale(score, rank) * weight;
      const before = fused.get(object);
      const from = `\nHybrid (Result Set ${name}) Document ${object.id}`;
      const explain =
        fusion === 'rankedFusion'
          ? `${before?.explain ?? ''}${from} contributed ${float32(part)} to the score`
          : `${before ? `${before.explain} - ` : ''}${from}: original score ${score}, normalized score: ${float32(part)}`;
      fused.set(object, { score: (before?.score ?? 0) + part, explain });
    });
  }
  return [...fused]
    .map(([object, { score, explain }]) => ({ object, score: float32(score), explainScore: explain }))
    .sort((a, b) => b.score - a.score || (a.object.id < b.object.id ? -1 : 1));
}

function rankScore(_score: number, rank: number): number {
  return 1 / (60 + rank);
}

function relativeScale(hits: { score: number }[]): (score: number) => number {
  const { low, high } = rangeOf(hits.map(({ score }) => score));
  return (score) => (high === low ? 1 : (score - low) / (high - low));
}
