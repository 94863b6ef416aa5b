import { type ClassDefinition, kindOf, type PropertyDefinition } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { stopwordsOf, tokenize } from '../filter/tokenizer.ts';
import { float32 } from '../store/float32.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Hit } from './hit.ts';

/**
 * How many words of the query an object must contain. `And` and `AndCross`: all. `Or`: at least `minimumOrTokensMatch`,
 * which defaults to 1.
 */
export interface SearchOperator {
  operator?: string;
  minimumOrTokensMatch?: number;
}

/** BM25F over the searchable text properties, best first. `all` is for the statistics, `objects` are the candidates. */
export function bm25(
  definition: ClassDefinition,
  asked: { query?: string; properties?: string[]; searchOperator?: SearchOperator },
  all: StoredObject[],
  objects: StoredObject[],
): Hit[] {
  if (!asked.query) throw unprocessable('keyword search (bm25) must have query set');
  const query = asked.query;
  const fields = searchedFields(definition, asked.properties);
  const { b = 0.75, k1 = 1.2 } = definition.invertedIndexConfig?.bm25 ?? {};
  const lengths = new Map(fields.map(({ property }) => [property.name, meanLength(all, property)]));
  const stopwords = stopwordsOf(definition.invertedIndexConfig ?? {});
  const scores = new Map<StoredObject, { score: number; explain: string; words: Set<string> }>();
  const asWords = new Set<string>();
  for (const tokenization of new Set(fields.map(({ property }) => property.tokenization ?? 'word'))) {
    const own = fields.filter(({ property }) => (property.tokenization ?? 'word') === tokenization);
    const terms = new Set(tokenize(query, tokenization));
    for (const term of terms) {
      if (stopwords.has(term) && tokenization === 'word') continue;
      asWords.add(term.toLowerCase());
      const holds = (object: StoredObject) =>
        own.some(({ property }) => object.terms(property).includes(term));
      const holders = all.filter(holds).length;
      const rarity = Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5));
      for (const object of objects) {
        let weight = 0;
        let frequency = 0;
        let length = 0;
        for (const { property, boost } of own) {
          const found = object.terms(property);
          const count = found.filter((one) => one === term).length;
          if (count === 0) continue;
          frequency += count;
          length += found.length;
          weight += (boost * count) / (1 - b + (b * found.length) / (lengths.get(property.name) ?? 1));
        }
        if (weight === 0) continue;
        const before = scores.get(object) ?? { score: 0, explain: '', words: new Set<string>() };
        scores.set(object, {
          score: before.score + (rarity * weight) / (k1 + weight),
          explain: `${before.explain}, BM25F_${term}_frequency:${frequency}, BM25F_${term}_propLength:${length}`,
          words: before.words.add(term.toLowerCase()),
        });
      }
    }
  }
  const least = wordsNeeded(asked.searchOperator, asWords.size);
  return [...scores]
    .filter(([, { words }]) => words.size >= least)
    .map(([object, { score, explain }]) => ({ object, score: float32(score), explainScore: explain }))
    .sort((x, y) => y.score - x.score || (x.object.id < y.object.id ? -1 : 1));
}

function wordsNeeded(operator: SearchOperator | undefined, words: number): number {
  if (operator?.operator === 'And' || operator?.operator === 'AndCross') return words;
  return operator?.minimumOrTokensMatch ?? 1;
}

function searchedFields(
  definition: ClassDefinition,
  names: string[] | undefined,
): { property: PropertyDefinition; boost: number }[] {
  const searchable = (definition.properties ?? []).filter(
    (property) => kindOf(property).element === 'text' && property.indexSearchable,
  );
  if (!names || names.length === 0) return searchable.map((property) => ({ property, boost: 1 }));
  return names.map((given) => {
    const [name = '', boost] = given.split('^');
    const property = searchable.find((one) => one.name === name);
    if (!property) {
      throw unprocessable(
        `Searching by property '${name}' requires inverted index. Is \`indexSearchable\` option of property '${name}' enabled? Set it to \`true\` or leave empty`,
      );
    }
    return { property, boost: Number(boost ?? 1) || 1 };
  });
}

function meanLength(objects: StoredObject[], property: PropertyDefinition): number {
  const lengths = objects.map((object) => object.terms(property).length).filter((length) => length > 0);
  return lengths.length === 0 ? 1 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}
