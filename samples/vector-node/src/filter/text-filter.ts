import type { ClassDefinition, PropertyDefinition } from '../definition.ts';
import { onlyStopwords, unprocessable } from '../errors.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { testOf } from './comparison.ts';
import { likePattern } from './like-pattern.ts';
import { stopwordsOf, tokenize, tokenizePattern } from './tokenizer.ts';
import type { Leaf } from './where.ts';

/** Every term of the value for itself, all of them together: also for NotEqual, so that one term excludes a row. */
export function textTest(
  leaf: Leaf,
  property: PropertyDefinition,
  definition: ClassDefinition,
): (object: StoredObject) => boolean {
  const tokenization = property.tokenization ?? 'word';
  const text = String(leaf.value);
  if (leaf.operator === 'Like') {
    const patterns = tokenizePattern(text, tokenization).map(likePattern);
    if (patterns.length === 0) throw unprocessable(onlyStopwords);
    return (object) => {
      const terms = object.terms(property);
      return patterns.every((pattern) => terms.some((term) => pattern.test(term)));
    };
  }
  const stopwords = tokenization === 'word' ? stopwordsOf(definition.invertedIndexConfig ?? {}) : null;
  const terms = tokenize(text, tokenization).filter((term) => !stopwords?.has(term));
  if (terms.length === 0) throw unprocessable(onlyStopwords);
  const tests = terms.map((value) =>
    testOf({ operator: leaf.operator, value }, (object) => object.terms(property)),
  );
  return (object) => tests.every((test) => test(object));
}
