import { asciiLower } from './table.ts';
import { nameOf, significant, type Token, tokenize } from './tokenizer.ts';

/**
 * The columns that each generated column is computed from, directly or through other generated columns. Names are in
 * lower case. SQLite does not report these columns, so they are read from the CREATE TABLE: all columns that occur in
 * the definition of the generated column. If the definition is not found, all columns of the table.
 */
export function readGenerated(
  definition: string,
  columns: readonly { name: string; generated: boolean }[],
): Map<string, Set<string>> {
  const all = new Set(columns.map(({ name }) => asciiLower(name)));
  const generated = columns.filter((column) => column.generated).map(({ name }) => asciiLower(name));
  if (generated.length === 0) return new Map();
  const definitions = columnDefinitions(definition);
  const sources = new Map(
    generated.map((name) => {
      const own = definitions.find(([first]) => first === name);
      return [name, own ? new Set(own.slice(1).filter((one) => all.has(one))) : all];
    }),
  );
  for (const found of sources.values()) {
    // A Set also iterates over the names that are added meanwhile.
    for (const one of found) for (const further of sources.get(one) ?? []) found.add(further);
  }
  return sources;
}

/** The words in each part of `CREATE TABLE name (part, part, …)`. The first word of a column's part is its name. */
function columnDefinitions(definition: string): string[][] {
  const words = significant(tokenize(definition));
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of words.slice(words.findIndex(({ text }) => text === '('))) {
    if (token.text === ')' && --depth === 0) break;
    if (token.text === ',' && depth === 1) parts.push([]);
    else if (depth > 0) parts.at(-1)!.push(token);
    if (token.text === '(') depth++;
  }
  return parts.map((part) => part.map((token) => asciiLower(nameOf(token))));
}
