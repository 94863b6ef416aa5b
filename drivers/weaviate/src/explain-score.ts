import type { ScorePart, SearchExplanation, SearchTerm } from '@trestle/driver-kit';

/** Reads the server's `explainScore` of a keyword search: `, BM25F_moon_frequency:3, BM25F_moon_propLength:13`. */
export function termsIn(explained: string, query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const { term, fact, number } of factsIn(explained)) {
    const found = terms.get(term) ?? { term, count: 0 };
    if (fact === 'frequency') found.count = Number(number);
    else found.length = Number(number);
    terms.set(term, found);
  }
  // The server's order of the terms varies, so they are sorted by their position in the query.
  const words = query.toLowerCase();
  const positions = new Map(Array.from(terms.keys(), (term) => [term, words.indexOf(term.toLowerCase())]));
  const position = ({ term }: SearchTerm) => positions.get(term) ?? -1;
  return [...terms.values()].sort((a, b) => position(a) - position(b) || (a.term < b.term ? -1 : 1));
}

/**
 * Splits the text at `mark`. A property that is not split into words has the whole query as its term. The query may
 * contain `mark` too. Then the pieces of the term are joined. One pattern for the whole text would be slow: at each
 * `mark` without a number after it, the pattern would read the rest of the text again.
 */
function* factsIn(explained: string): Generator<{ term: string; fact: string; number: string }> {
  let pieces: string[] = [];
  for (const piece of explained.split(mark).slice(1)) {
    pieces.push(piece);
    const [end, fact, number] = /_(frequency|propLength):([\d.]+)$/.exec(piece) ?? [];
    const length = end === undefined ? 0 : piece.length - end.length;
    if (fact === undefined || number === undefined || (length === 0 && pieces.length === 1)) continue;
    const term = [...pieces.slice(0, -1), piece.slice(0, length)].join(mark);
    pieces = [];
    yield { term, fact, number };
  }
}

const mark = ', BM25F_';

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
