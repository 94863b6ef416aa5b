import { isRecord } from './answer-shape.ts';
import type { Collection } from './schema.ts';

export function isMultiVector({ definition }: Collection, name: string): boolean {
  const spaces = isRecord(definition) ? definition.vectorConfig : undefined;
  const space = isRecord(spaces) && Object.hasOwn(spaces, name) ? spaces[name] : undefined;
  const index = isRecord(space) ? space.vectorIndexConfig : undefined;
  const multi = isRecord(index) ? index.multivector : undefined;
  return isRecord(multi) && multi.enabled === true;
}
