import { type ASTNode, type DocumentNode, Kind, visit } from 'graphql';

/**
 * How many fields a query selects if each fragment is written out. Each use of a fragment adds one to the count.
 * Infinity if a used fragment contains itself, or if the used fragments are nested too deep. A short query can be
 * large: thirty fragments that each use the next one twice select a billion fields.
 */
export function selectionSize(document: DocumentNode): number {
  const parts = new Map<string, Part>();
  const operations: Part[] = [];
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) parts.set(one.name.value, partOf(one));
    if (one.kind === Kind.OPERATION_DEFINITION) operations.push(partOf(one));
  }
  const sizes = new Map<Part, number>();
  const sizeOf = (part: Part, depth: number): number => {
    const known = sizes.get(part);
    if (known !== undefined) return known;
    // Infinity until the size is known: a fragment that contains itself finds this value, and the recursion ends.
    sizes.set(part, Number.POSITIVE_INFINITY);
    let size = part.fields;
    for (const name of part.spreads) {
      const inner = parts.get(name);
      if (inner) size += depth > deepest ? Number.POSITIVE_INFINITY : 1 + sizeOf(inner, depth + 1);
    }
    sizes.set(part, size);
    return size;
  };
  return operations.reduce((sum, part) => sum + sizeOf(part, 0), 0);
}

const deepest = 500;

interface Part {
  fields: number;
  spreads: string[];
}

function partOf(definition: ASTNode): Part {
  const part: Part = { fields: 0, spreads: [] };
  visit(definition, {
    [Kind.FIELD]: () => void part.fields++,
    [Kind.FRAGMENT_SPREAD]: ({ name }: { name: { value: string } }) => void part.spreads.push(name.value),
  });
  return part;
}
