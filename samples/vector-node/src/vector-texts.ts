import type { SampleClass } from './sample-data.ts';

/**
 * The text of each vector of an object, by vector name. The unnamed vector of a class is `default`. A text joins the
 * properties that the named vector lists. Without a list, it joins all text properties that are not skipped. The
 * properties are sorted by name. The text2vec modules of Weaviate 1.27 and 1.39 do the same if
 * `vectorizeClassName` is false.
 */
export function vectorTexts(
  definition: SampleClass,
  properties: Record<string, unknown>,
): Record<string, string> {
  const join = (names: string[]) =>
    names
      .toSorted()
      .flatMap((name) => properties[name] ?? [])
      .filter((value) => typeof value === 'string')
      .join(' ');
  if (!definition.vectorConfig) return { default: join(included(definition)) };
  return Object.fromEntries(
    Object.entries(definition.vectorConfig).map(([name, { vectorizer }]) => [
      name,
      join(Object.values(vectorizer)[0]?.properties ?? included(definition)),
    ]),
  );
}

function included(definition: SampleClass): string[] {
  return definition.properties
    .filter(({ dataType }) => dataType[0] === 'text' || dataType[0] === 'text[]')
    .filter(({ moduleConfig }) => !Object.values(moduleConfig ?? {}).some((module) => module.skip))
    .map(({ name }) => name);
}
