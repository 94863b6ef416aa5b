import type { ScorePart, SearchExplanation, SearchTerm } from '@trestle/driver-kit';

/** Why a search found a row: `moon ×3, landing; keyword 0.5 + vector 0.36`. */
export function whyText({ terms = [], keyword, vector }: SearchExplanation): string {
  const parts = [
    ...(keyword ? [`keyword ${share(keyword)}`] : []),
    ...(vector ? [`vector ${share(vector)}`] : []),
  ];
  return [terms.map(termText).join(', '), parts.join(' + ')].filter((part) => part !== '').join('; ');
}

function termText({ term, count }: SearchTerm): string {
  return count === 1 ? term : `${term} ×${count}`;
}

function share({ share }: ScorePart): number {
  return Number(share.toPrecision(3));
}
