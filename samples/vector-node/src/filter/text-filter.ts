import type { ClassDefinition, PropertyDefinition } from '../definition.ts';
import { onlyStopwords, unprocessable } from '../errors.ts';
import { type Test, testOf } from './comparison.ts';
import { likePattern } from './like-pattern.ts';
import { stopwordsOf, tokenize, tokenizePattern } from './tokenizer.ts';
import type { Leaf } from './where.ts';

/**
 * An object must match every term of the value, apart from ignored stop words. With NotEqual it must contain none of
 * these terms, as in Weaviate.
 */
export function textTest(leaf: Leaf, property: PropertyDefinition, definition: ClassDefinition): Test {
  const tokenization = property.tokenization ?? 'word';
  const text = String(leaf.value);
  if (leaf.operator === 'Like') {
    const patterns = tokenizePattern(text, tokenization).map(likePattern);
    if (patterns.length === 0) throw unprocessable(onlyStopwords);
    return every(
      patterns.map((pattern) => {
        const holds = (term: unknown) => pattern.test(String(term));
        const read: NonNullable<Test['keys']>['read'] = (object) => object.terms(property);
        return Object.assign(((object) => read(object).some(holds)) as Test, { keys: { read, holds } });
      }),
    );
  }
  const stopwords = tokenization === 'word' ? stopwordsOf(definition.invertedIndexConfig ?? {}) : null;
  const terms = tokenize(text, tokenization).filter((term) => !stopwords?.has(term));
  if (terms.length === 0) throw unprocessable(onlyStopwords);
  const tests = terms.map((value) =>
    testOf({ operator: leaf.operator, value }, (object) => object.terms(property)),
  );
  return every(tests);
}

function every(tests: Test[]): Test {
  const [only] = tests;
  return tests.length === 1 && only ? only : (object) => tests.every((test) => test(object));
}
