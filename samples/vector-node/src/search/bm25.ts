import { type ClassDefinition, kindOf, type PropertyDefinition } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { stopwordsOf, tokenize } from '../filter/tokenizer.ts';
import { float32 } from '../store/float32.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Hit } from './hit.ts';

/**
 * How many words of the query an object must have. `And`: all of them in one property. `AndCross`: all of them, in any
 * properties. `Or`, the default: at least `minimumOrTokensMatch` of them in one property. This minimum defaults to 1.
 */
export interface SearchOperator {
  operator?: string;
  minimumOrTokensMatch?: number;
}

interface Found {
  score: number;
  /** The explanation of each term. If a term is in several properties, Weaviate explains only the last property. */
  explained: Map<string, string>;
}

/**
 * Adds up the BM25 scores of the searched properties, as in Weaviate 1.39. Weaviate 1.27 scored the properties together
 * (BM25F). The best hit is first. `all` is for the statistics, `objects` are the candidates.
 */
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
  const stopwords = stopwordsOf(definition.invertedIndexConfig ?? {});
  const { operator, minimumOrTokensMatch = 1 } = asked.searchOperator ?? {};
  const groups = Map.groupBy(fields, ({ property }) => property.tokenization ?? 'word');
  if (operator === 'AndCross' && groups.size > 1) {
    throw unprocessable(
      'blockmaxwand: OPERATOR_AND_CROSS requires all searched properties to share the same tokenization and analyzer settings',
    );
  }
  const scores = new Map<StoredObject, Found>();
  for (const [tokenization, own] of groups) {
    const words = tokenize(query, tokenization).filter(
      (word) => tokenization !== 'word' || !stopwords.has(word),
    );
    const terms = new Map([...new Set(words)].map((term) => [term, rarityOf(term, words, own, all)]));
    const least = operator === 'And' ? terms.size : operator === 'AndCross' ? 1 : minimumOrTokensMatch;
    for (const { property, boost } of own) {
      const mean = meanLength(all, property);
      for (const object of objects) {
        const texts = object.terms(property);
        const found = [...terms].filter(([term]) => texts.includes(term));
        if (found.length === 0 || found.length < least) continue;
        const at = scores.get(object) ?? { score: 0, explained: new Map() };
        for (const [term, rarity] of found) {
          const frequency = texts.filter((one) => one === term).length;
          at.score += (boost * rarity * frequency) / (frequency + k1 * (1 - b + (b * texts.length) / mean));
          const facts = `, BM25F_${term}_frequency:${frequency}, BM25F_${term}_propLength:${texts.length}`;
          at.explained.set(term, facts);
        }
        scores.set(object, at);
      }
    }
    if (operator === 'AndCross') {
      for (const [object, { explained }] of scores) if (explained.size < terms.size) scores.delete(object);
    }
  }
  return [...scores]
    .map(([object, { score, explained }]) => ({
      object,
      score: float32(score),
      explainScore: [...explained.values()].join(''),
    }))
    .sort((x, y) => y.score - x.score || (x.object.id < y.object.id ? -1 : 1));
}

/**
 * The inverse document frequency of a term, times its number of occurrences in the query. The document frequency is
 * the mean over the properties that contain the term, rounded down.
 */
function rarityOf(term: string, words: string[], fields: Field[], all: StoredObject[]): number {
  const counts = fields.map(({ property }) => all.filter((object) => object.terms(property).includes(term)));
  const holders = counts.map(({ length }) => length).filter((length) => length > 0);
  const sum = holders.reduce((before, count) => before + count, 0);
  const mean = Math.floor(sum / Math.max(1, holders.length));
  const repeats = words.filter((word) => word === term).length;
  return repeats * Math.log(1 + (all.length - mean + 0.5) / (mean + 0.5));
}

interface Field {
  property: PropertyDefinition;
  boost: number;
}

function searchedFields(definition: ClassDefinition, names: string[] | undefined): Field[] {
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
    // Weaviate reads a weight that is not a number as 0.
    return { property, boost: Number(boost ?? 1) || 0 };
  });
}

function meanLength(objects: StoredObject[], property: PropertyDefinition): number {
  const lengths = objects.map((object) => object.terms(property).length).filter((length) => length > 0);
  return lengths.length === 0 ? 1 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}
