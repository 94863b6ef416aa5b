import { undecodable } from '../errors.ts';
import type { ObjectBody } from '../store/object-writer.ts';

const texts = ['class', 'id', 'tenant'];

/** Checks the types of the text fields, as Weaviate's decoder does. Null counts as absent. */
export function decodedObject(body: Record<string, unknown>, place = 'Object'): ObjectBody {
  for (const name of texts) {
    const value = body[name] ?? '';
    if (typeof value !== 'string') throw undecodable(value, `struct field ${place}.${name} of type string`);
  }
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || !texts.includes(name)),
  );
}
