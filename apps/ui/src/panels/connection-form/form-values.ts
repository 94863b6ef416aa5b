import {
  type ConnectionFields,
  isFieldVisible,
  type Manifest,
  type ManifestField,
  readPastedUrl,
} from '@trestle/driver-kit';
import type { Connection, ConnectionDraft } from '../../data/api/api-types.ts';

export const defaultReachLimit = '100';

/** The values of the form while the user fills it in. */
export interface FormValues {
  name: string;
  color: string | null;
  /** Such as PROD, or empty. */
  word: string;
  externalClients: ConnectionDraft['externalClients'];
  aiPolicy: ConnectionDraft['aiPolicy'];
  safeMode: ConnectionDraft['safeMode'];
  masking: MaskingInput;
  /** As typed. Empty means the default. */
  reachLimit: string;
  fields: Record<string, FieldInput>;
}

/** An empty column name stands for an empty row of the form. */
export type MaskingInput = NonNullable<ConnectionDraft['masking']>;

export interface Header {
  name: string;
  value: string;
}

/** `stored` keeps the saved secret unchanged. The form does not get the value of a saved secret. */
export type FieldInput =
  | { kind: 'text'; text: string }
  | { kind: 'boolean'; on: boolean }
  | { kind: 'secret'; state: 'stored' | 'entered' | 'removed'; text: string }
  | { kind: 'headers'; state: 'stored' | 'entered' | 'removed'; headers: Header[] };

export function newValues(manifest: Manifest, takenNames: string[]): FormValues {
  return {
    name: freeName(manifest.name, takenNames),
    color: null,
    word: '',
    externalClients: 'readOnly',
    aiPolicy: 'askEachTime',
    safeMode: 'off',
    masking: { columns: [], patterns: [] },
    reachLimit: defaultReachLimit,
    fields: fieldInputs(manifest, {}, []),
  };
}

export function valuesOf(manifest: Manifest, connection: Connection): FormValues {
  const { name, color, externalClients, aiPolicy, safeMode } = connection;
  const fields = fieldInputs(manifest, connection.fields, connection.storedSecrets);
  const masking = connection.masking ?? { columns: [], patterns: [] };
  const reachLimit = String(connection.reachLimit);
  const word = connection.word ?? '';
  return { name, color, word, externalClients, aiPolicy, safeMode, masking, reachLimit, fields };
}

/** A copy has no secrets: the form cannot read them. */
export function copyOf(manifest: Manifest, connection: Connection, takenNames: string[]): FormValues {
  return {
    ...valuesOf(manifest, { ...connection, storedSecrets: [] }),
    name: freeName(`${connection.name} copy`, takenNames),
  };
}

export function toDraft(manifest: Manifest, values: FormValues): ConnectionDraft {
  const { name, color, externalClients, aiPolicy, safeMode } = values;
  const fields: ConnectionFields = {};
  const plain = plainValues(values);
  for (const field of manifest.fields) {
    const value = draftValue(field, values.fields[field.id], isFieldVisible(field, plain));
    if (value !== undefined) fields[field.id] = value;
  }
  const { columns, patterns, open = [] } = values.masking;
  const masking = {
    columns: columnNames(columns),
    patterns,
    ...(columnNames(open).length > 0 && { open: columnNames(open) }),
  };
  return {
    name: name.trim(),
    driver: manifest.id,
    fields,
    color,
    word: values.word.trim() || null,
    externalClients,
    aiPolicy,
    safeMode,
    masking,
    reachLimit: Number(values.reachLimit.trim() || defaultReachLimit),
  };
}

function columnNames(typed: string[]): string[] {
  return [...new Set(typed.map((column) => column.trim()).filter(Boolean))];
}

export function sameValues(a: FormValues, b: FormValues): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The text and boolean values of the fields, without secrets. `visibleWhen` and the suggestions use them. */
export function plainValues(values: FormValues): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(values.fields).flatMap(([id, input]): [string, string | boolean][] => {
      if (input.kind === 'text') return [[id, input.text]];
      return input.kind === 'boolean' ? [[id, input.on]] : [];
    }),
  );
}

/** Fills text and boolean fields with the given values. Never fills a secret. */
export function fillFields(inputs: FormValues['fields'], values: ConnectionFields): FormValues['fields'] {
  const filled = { ...inputs };
  for (const [id, value] of Object.entries(values)) {
    const input = inputs[id];
    if (input?.kind === 'text') filled[id] = { kind: 'text', text: String(value ?? '') };
    else if (input?.kind === 'boolean') filled[id] = { kind: 'boolean', on: value === true };
  }
  return filled;
}

/** Splits an address in a field such as the host: its parts fill this field and, for example, the port. */
export function withAddressesSplit(manifest: Manifest, values: FormValues): FormValues {
  let { fields } = values;
  for (const field of manifest.fields) {
    const input = fields[field.id];
    const filled = input?.kind === 'text' ? readPastedUrl(field, input.text) : null;
    if (filled) fields = fillFields(fields, filled);
  }
  return fields === values.fields ? values : { ...values, fields };
}

/** Empty rows are left out. */
function enteredHeaders(headers: Header[]): Header[] {
  const trimmed = headers.map(({ name, value }) => ({ name: name.trim(), value }));
  return trimmed.filter(({ name, value }) => name !== '' || value !== '');
}

/**
 * The input to show after a change. An emptied field returns to its stored secret, because an empty field does not
 * remove that secret.
 */
export function afterChange(initial: FieldInput | undefined, input: FieldInput): FieldInput {
  const isEmptied =
    'state' in input &&
    input.state === 'entered' &&
    (input.kind === 'secret' ? input.text === '' : input.headers.length === 0);
  return isEmptied && initial && 'state' in initial ? initial : input;
}

export function visibleFields(manifest: Manifest, values: FormValues): ManifestField[] {
  const plain = plainValues(values);
  return manifest.fields.filter((field) => isFieldVisible(field, plain));
}

function fieldInputs(
  manifest: Manifest,
  stored: ConnectionFields,
  storedSecrets: string[],
): Record<string, FieldInput> {
  return Object.fromEntries(
    manifest.fields.map((field) => {
      const fallback = 'default' in field && !(field.id in stored) ? field.default : undefined;
      const value = stored[field.id] ?? fallback;
      return [field.id, fieldInput(field, value, storedSecrets.includes(field.id))];
    }),
  );
}

function fieldInput(field: ManifestField, value: unknown, isStored: boolean): FieldInput {
  const state = isStored ? 'stored' : 'entered';
  if (field.type === 'secret') return { kind: 'secret', state, text: '' };
  if (field.type === 'secretHeaders') return { kind: 'headers', state, headers: [] };
  if (field.type === 'boolean') return { kind: 'boolean', on: value === true };
  return { kind: 'text', text: value === undefined || value === null ? '' : String(value) };
}

/**
 * Undefined leaves the field out of the draft. The app then keeps the stored secret, or sets the default of a field
 * that is no secret. A secret that was typed into a field that is now hidden is left out too.
 */
function draftValue(
  field: ManifestField,
  input: FieldInput | undefined,
  visible: boolean,
): Draft | undefined {
  if (!input) return undefined;
  switch (input.kind) {
    case 'boolean':
      return input.on;
    case 'text': {
      const text = input.text.trim();
      if (text === '') return visible ? null : undefined;
      return field.type === 'integer' ? integerOf(text) : text;
    }
    case 'secret':
      if (input.state === 'removed') return null;
      return input.state === 'entered' && input.text && visible ? input.text : undefined;
    case 'headers': {
      if (input.state === 'removed') return null;
      const headers = enteredHeaders(input.headers);
      return input.state === 'entered' && headers.length > 0 && visible ? headers : undefined;
    }
  }
}

type Draft = ConnectionDraft['fields'][string];

function integerOf(text: string): number | string {
  return /^[+-]?\d+$/.test(text) ? Number(text) : text;
}

function freeName(wanted: string, taken: string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number++) {
    if (!taken.includes(`${wanted} ${number}`)) return `${wanted} ${number}`;
  }
}
