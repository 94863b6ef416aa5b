import {
  type ConnectionFields,
  checkFields,
  defaultFields,
  type FieldValue,
  isSecretField,
  type Manifest,
} from '@trestle/driver-kit';
import { z } from 'zod';
import { defaultReachLimit } from '../administration/raised-levels.ts';
import { AppError } from '../errors.ts';
import { noMasking } from '../masking/mask.ts';
import type { ConnectionDraft, Masking } from '../types.ts';

const longestWord = 10;
const highestReachLimit = 1_000_000;

export interface ValidDraft {
  /** The fields without secrets, with defaults filled in. */
  fields: ConnectionFields;
  /** Secrets to store as text, by field id. Null removes a stored secret. Has no entry for a field that is left out. */
  secrets: Map<string, string | null>;
  word: string | null;
  masking: Masking;
  reachLimit: number;
}

/** Checks a draft against its driver's manifest. Messages name the field as the form does, and contain no secret. */
export function validateDraft(
  draft: ConnectionDraft,
  manifest: Manifest,
  /** The fields whose secret is stored. `optional`: a required secret may be missing. */
  stored: { secrets: readonly string[] | 'optional' },
): ValidDraft {
  if (draft.name.trim() === '') throw invalid('Give the connection a name');
  for (const [label, value, known] of levels(draft)) {
    if (!known.includes(value)) throw invalid(`${label} must be one of ${known.join(', ')}`);
  }
  const word = readWord(draft.word);
  const masking = readMasking(draft.masking);
  const { reachLimit = defaultReachLimit } = draft;
  if (!Number.isSafeInteger(reachLimit) || reachLimit < 0 || reachLimit > highestReachLimit) {
    throw invalid(`Reach Limit must be a whole number between 0 and ${highestReachLimit}`);
  }
  for (const id of Object.keys(draft.fields)) {
    if (!manifest.fields.some((field) => field.id === id)) {
      throw invalid(`${manifest.name} connections have no field ${id}`);
    }
  }
  const given = { ...defaultFields(manifest), ...draft.fields };
  const [problem] = Object.values(checkFields(manifest, given, stored.secrets));
  if (problem !== undefined) throw invalid(problem);
  const fields: ConnectionFields = defaultFields(manifest);
  const secrets = new Map<string, string | null>();
  for (const field of manifest.fields) {
    const value = draft.fields[field.id];
    if (value === undefined) continue;
    if (isSecretField(field)) secrets.set(field.id, secretText(value));
    else if (value !== null) fields[field.id] = field.type === 'text' ? String(value).trim() : value;
  }
  return { fields, secrets, word, masking, reachLimit };
}

/** The word appears in the rail, in tabs and in dialogs, so it must be short and on one line. */
function readWord(word: string | null | undefined): string | null {
  const text = word?.trim() ?? '';
  if (text === '') return null;
  if ([...text].length > longestWord || !/^[\p{L}\p{N}_.-]+$/u.test(text)) {
    throw invalid(`Word must be one word of at most ${longestWord} letters, digits, _, . or -, such as PROD`);
  }
  return text;
}

/**
 * The label, the value and the valid values of each level. Levels are checked because access depends on them, and a
 * file to import may contain any text.
 */
function levels(draft: ConnectionDraft): [string, string, string[]][] {
  return [
    ['External Clients', draft.externalClients, ['blocked', 'readOnly', 'readWrite']],
    ['AI Policy', draft.aiPolicy, ['alwaysAllow', 'askEachTime', 'never']],
    ['Safe Mode', draft.safeMode, ['off', 'confirm', 'readOnly']],
  ];
}

const columnNames = z.array(z.string().trim().min(1, 'a column has no name').max(300)).max(500);

const maskingSchema = z.strictObject({
  columns: columnNames,
  patterns: z.array(z.enum(['email', 'card', 'phone'])),
  open: columnNames.optional(),
});

function readMasking(masking: unknown): Masking {
  const parsed = maskingSchema.safeParse(masking ?? noMasking);
  if (parsed.success) return parsed.data;
  throw invalid(`Masking: ${z.prettifyError(parsed.error)}`);
}

/** Headers are stored as JSON, since a keychain stores only text. */
function secretText(value: FieldValue): string | null {
  if (value === null || value === '') return null;
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return null;
  return JSON.stringify(value.map(({ name, value: text }) => ({ name, value: text })));
}

function invalid(message: string): AppError {
  return new AppError({ code: 'invalid_argument', message });
}
