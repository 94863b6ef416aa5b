import { type ClassDefinition, unnamedVector, vectorSpaces } from '../definition.ts';
import type { Embed } from '../embed.ts';
import { unprocessable } from '../errors.ts';
import type { SampleClass } from '../sample-data.ts';
import { vectorTexts } from '../vector-texts.ts';
import { textModule } from './class-check.ts';
import { float32Vector } from './float32.ts';

export type Vectors = Map<string, readonly number[]>;

/** The given vectors, and each missing vector of the text module, made from the text of the properties. */
export function vectorsFor(
  definition: ClassDefinition,
  properties: Record<string, unknown>,
  given: Vectors,
  embed: Embed,
): Vectors {
  const spaces = vectorSpaces(definition).filter(
    ({ name, vectorizer }) => vectorizer === textModule && !given.has(name),
  );
  if (spaces.length === 0) return given;
  const texts = textsOf(definition, properties);
  return new Map([
    ...given,
    ...spaces.map(({ name }) => [name, vectorOf(texts[name] ?? '', embed)] as const),
  ]);
}

/** The vectors after an edit. A vector of the text module is made again if its text changed. The others stay. */
export function vectorsAfter(
  definition: ClassDefinition,
  edit: {
    before: Record<string, unknown>;
    after: Record<string, unknown>;
    vectors: ReadonlyMap<string, readonly number[]>;
  },
  embed: Embed,
): Vectors {
  const [was, is] = [textsOf(definition, edit.before), textsOf(definition, edit.after)];
  const stale = vectorSpaces(definition)
    .filter(({ name, vectorizer }) => vectorizer === textModule && was[name] !== is[name])
    .map(({ name }) => name);
  const kept = [...edit.vectors].filter(([name]) => !stale.includes(name));
  return new Map([...kept, ...stale.map((name) => [name, vectorOf(is[name] ?? '', embed)] as const)]);
}

/** `vector` and `vectors` of a request. Refuses a vector that the collection does not have. */
export function givenVectors(definition: ClassDefinition, body: Record<string, unknown>): Vectors {
  const vectors: Vectors = new Map();
  const spaces = vectorSpaces(definition).map(({ name }) => name);
  if (Array.isArray(body.vector) && body.vector.length > 0) {
    if (definition.vectorConfig) {
      throw unprocessable(
        `invalid object: collection ${definition.class} configuration does not have single vector index`,
      );
    }
    vectors.set(unnamedVector, float32Vector(body.vector as number[]));
  }
  for (const [name, vector] of Object.entries((body.vectors ?? {}) as Record<string, number[]>)) {
    if (!definition.vectorConfig || !spaces.includes(name)) {
      throw unprocessable(
        `invalid object: collection ${definition.class} does not have configuration for vector ${name}`,
      );
    }
    vectors.set(name, float32Vector(vector));
  }
  return vectors;
}

function textsOf(definition: ClassDefinition, properties: Record<string, unknown>): Record<string, string> {
  const own = { ...definition, properties: definition.properties ?? [] };
  return vectorTexts(own as unknown as SampleClass, properties);
}

function vectorOf(text: string, embed: Embed): number[] {
  return float32Vector(embed(text));
}
