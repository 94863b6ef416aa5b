import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ConnectionFields, isFieldVisible, type Manifest } from '@trestle/driver-kit';
import { promptSecret } from './prompt-secret.ts';

/**
 * The secrets a connection with these fields takes: asked for one by one at a terminal; otherwise standard
 * input holds the one there is, or a JSON object by field id where there are several.
 */
export async function readSecrets(
  manifest: Manifest,
  fields: ConnectionFields,
  input: Readable & { isTTY?: boolean } = process.stdin,
): Promise<ConnectionFields> {
  const wanted = manifest.fields.filter((field) => field.type === 'secret' && isFieldVisible(field, fields));
  if (wanted.length === 0) return {};
  const secrets: ConnectionFields = {};
  if (input.isTTY) {
    for (const field of wanted) {
      const answer = await promptSecret(`${field.label}: `, input);
      if (answer) secrets[field.id] = answer;
    }
    return secrets;
  }
  const piped = (await text(input)).replace(/\r?\n$/, '');
  if (piped === '') return {};
  if (wanted.length === 1) return { [wanted[0]!.id]: piped };
  return readObject(
    piped,
    wanted.map((field) => field.id),
  );
}

function readObject(piped: string, ids: string[]): ConnectionFields {
  const expected = `Standard input must hold a JSON object with ${ids.join(', ')}.`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(piped);
  } catch {
    throw new Error(expected);
  }
  if (typeof parsed !== 'object' || parsed === null) throw new Error(expected);
  const entries = Object.entries(parsed);
  if (entries.some(([id, value]) => !ids.includes(id) || typeof value !== 'string'))
    throw new Error(expected);
  return Object.fromEntries(entries);
}
