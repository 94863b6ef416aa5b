import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ConnectionFields, isFieldVisible, isSecretField, type Manifest } from '@trestle/driver-kit';
import { promptHeaders, promptSecret } from './prompt-secret.ts';

/**
 * The secrets of the fields that the form would show. At a terminal, asks for each secret. Otherwise reads standard
 * input: a JSON object by field id or, if exactly one field has the type `secret`, the plain secret. If none has that
 * type, reads only with `always`: some scripts never close standard input, and the read would wait forever.
 */
export async function readSecrets(
  manifest: Manifest,
  fields: ConnectionFields,
  {
    always = false,
    input = process.stdin,
  }: { always?: boolean; input?: Readable & { isTTY?: boolean } } = {},
): Promise<ConnectionFields> {
  const wanted = manifest.fields.filter((field) => isSecretField(field) && isFieldVisible(field, fields));
  if (wanted.length === 0) return {};
  if (input.isTTY) {
    const secrets: ConnectionFields = {};
    for (const field of wanted) {
      const answer =
        field.type === 'secretHeaders'
          ? await promptHeaders(field, input)
          : await promptSecret(`${field.label}: `, input);
      if (answer.length > 0) secrets[field.id] = answer;
    }
    return secrets;
  }
  const plain = wanted.filter(({ type }) => type === 'secret');
  if (plain.length === 0 && !always) return {};
  const piped = (await text(input)).replace(/\r?\n$/, '');
  if (piped === '') return {};
  const object = readObject(piped);
  const ids = wanted.map((field) => field.id);
  if (object && Object.keys(object).every((id) => ids.includes(id))) return object;
  if (plain.length === 1) return { [plain[0]!.id]: piped };
  throw new Error(`Standard input must hold a JSON object with ${ids.join(', ')}.`);
}

/** Headers may be a list of names and values, as stored, or an object with the names as keys. */
function readObject(piped: string): ConnectionFields | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(piped);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  return Object.fromEntries(
    Object.entries(parsed).map(([id, value]) => [
      id,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value as Record<string, string>).map(([name, one]) => ({ name, value: one }))
        : value,
    ]),
  );
}
