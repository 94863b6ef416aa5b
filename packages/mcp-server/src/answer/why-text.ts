import type { ScorePart, SearchExplanation, SearchTerm } from '@trestle/driver-kit';

/** Why a search found a row: `moon in title ×3, note; landing in note; keyword 0.5 + vector 0.36`. */
export function whyText({ terms = [], unknown = [], keyword, vector }: SearchExplanation): string {
  const parts = [
    ...(keyword ? [`keyword ${share(keyword)}`] : []),
    ...(vector ? [`vector ${share(vector)}`] : []),
  ];
  const words = Array.from(
    Map.groupBy(terms, ({ term }) => term),
    ([term, places]) => `${term} in ${places.map(placeText).join(', ')}`,
  );
  const unsure = unknown.length > 0 ? [`words in ${unknown.join(', ')} not known`] : [];
  return [...words, ...unsure, parts.join(' + ')].filter((part) => part !== '').join('; ');
}

function placeText({ column, count }: SearchTerm): string {
  return count === 1 ? column : `${column} ×${count}`;
}

function share({ share }: ScorePart): number {
  return Number(share.toPrecision(3));
}
