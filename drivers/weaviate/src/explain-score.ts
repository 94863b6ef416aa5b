import type { ScorePart, SearchExplanation } from '@trestle/driver-kit';

/** Reads the `explainScore` of a hybrid search: one sentence for each part (keyword, vector) that found the row. */
export function partsIn(explained: string): Pick<SearchExplanation, 'keyword' | 'vector'> {
  const parts: Pick<SearchExplanation, 'keyword' | 'vector'> = {};
  for (const [, set, score, normalized, contributed] of explained.matchAll(sideSentence)) {
    const part: ScorePart = {
      share: Number(normalized ?? contributed),
      ...(score !== undefined && { score: Number(score) }),
    };
    if (set?.startsWith('keyword')) parts.keyword = part;
    if (set?.startsWith('vector')) parts.vector = part;
  }
  return parts;
}

/**
 * With relative score fusion, the server reports the score of a part before and after scaling. With ranked fusion, it
 * reports only how much the part contributed to the score.
 */
const sideSentence =
  /\(Result Set ([^()]*)\) Document [0-9a-f-]+(?:: original score ([-+.\de]+), normalized score: ([-+.\de]+)| contributed ([-+.\de]+) to the score)/g;
