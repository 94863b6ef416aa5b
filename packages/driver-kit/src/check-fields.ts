import type { ConnectionFields, FieldValue } from './driver.ts';
import { isFieldVisible, isSecretField } from './fields.ts';
import type { Manifest, ManifestField } from './manifest.ts';

/**
 * The problems of a connection's fields, by field id. The form, the command line and imports show them to the user. A
 * problem never repeats a value that may be a secret.
 */
export function checkFields(
  manifest: Manifest,
  /** The values, with defaults filled in. */
  fields: ConnectionFields,
  /** The ids of the fields whose secrets are stored. `optional`: a required secret may be missing. */
  storedSecrets: readonly string[] | 'optional',
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of manifest.fields) {
    const problem =
      valueProblem(field, fields[field.id]) ?? missingProblem(field, manifest, { fields, storedSecrets });
    if (problem !== undefined) problems[field.id] = problem;
  }
  return problems;
}

function missingProblem(
  field: ManifestField,
  manifest: Manifest,
  { fields, storedSecrets }: { fields: ConnectionFields; storedSecrets: readonly string[] | 'optional' },
): string | undefined {
  if (!isFieldVisible(field, fields) || !isEmpty(fields[field.id])) return undefined;
  // A missing secret keeps its stored value. Null or an empty text removes it.
  const keeps = storedSecrets === 'optional' || storedSecrets.includes(field.id);
  if (isSecretField(field) && fields[field.id] === undefined && keeps) return undefined;
  if (field.required) return `${field.label} is required`;
  const { requiredWhen } = field;
  const isNeeded = requiredWhen?.every((one) => one.oneOf.some((value) => value === fields[one.field]));
  if (!requiredWhen || !isNeeded) return undefined;
  const choice = requiredWhen.map((one) => valueLabel(manifest, fields, one.field)).find(Boolean);
  return choice === undefined ? `${field.label} is required` : `${field.label} is required by ${choice}`;
}

/** The label of the chosen option, such as `Verify CA`. */
function valueLabel(manifest: Manifest, fields: ConnectionFields, id: string): string | undefined {
  const field = manifest.fields.find((one) => one.id === id);
  if (field?.type !== 'choice') return undefined;
  return field.choices.find(({ value }) => value === fields[id])?.label;
}

function isEmpty(value: FieldValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function valueProblem(field: ManifestField, value: FieldValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const { label } = field;
  switch (field.type) {
    case 'text':
      if (typeof value !== 'string') return `${label} must be text`;
      return field.pastedUrl && value.trim() !== '' && !isHost(value.trim())
        ? notAHost(field, value)
        : undefined;
    case 'file':
    case 'folder':
    case 'secret':
      return typeof value === 'string' ? undefined : `${label} must be text`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${label} must be true or false`;
    case 'integer':
      return integerProblem(field, value);
    case 'choice': {
      const choices = field.choices.map((choice) => choice.value);
      return choices.some((choice) => choice === value)
        ? undefined
        : `${label} must be one of ${choices.join(', ')}`;
    }
    case 'secretHeaders':
      return headersProblem(field, value);
  }
}

/** Whether a text has the form of a host name, an IPv4 or an IPv6 address, without a port. */
export function isHost(text: string): boolean {
  const inBrackets = /^\[(.*)\]$/.exec(text);
  return (!inBrackets && /^[\p{L}\p{M}\p{N}_.-]+$/u.test(text)) || isAddress(inBrackets?.[1] ?? text);
}

/** An IPv6 address. It has at least two colons: `db:8080` is a host with a port. */
function isAddress(text: string): boolean {
  return /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%[\w.-]+)?$/i.test(text);
}

function notAHost({ label, placeholder = 'localhost' }: ManifestField, value: string): string {
  const example = `a host name or an address, such as ${placeholder}`;
  return value.includes('/') ? `${label} must be ${example}, not a URL` : `${label} must be ${example}`;
}

function integerProblem(field: ManifestField & { type: 'integer' }, value: FieldValue): string | undefined {
  const { label, min, max } = field;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${label} must be a whole number`;
  const isOutside = (min !== undefined && value < min) || (max !== undefined && value > max);
  return isOutside ? `${label} must be ${range(min, max)}` : undefined;
}

function headersProblem({ label }: ManifestField, value: FieldValue): string | undefined {
  if (value === '') return undefined;
  if (!Array.isArray(value)) return `${label} must be a list of names and values`;
  const seen = new Set<string>();
  for (const header of value) {
    if (typeof header?.name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(header.name)) {
      return `${label}: a header name has only letters, digits and !#$%&'*+-.^_\`|~, such as X-Api-Key`;
    }
    if (typeof header.value !== 'string' || header.value === '')
      return `${label}: ${header.name} has no value`;
    // With a line break, a value could add another header to the request.
    if (/[\r\n]/.test(header.value))
      return `${label}: the value of ${header.name} must not contain a line break`;
    if (seen.has(header.name.toLowerCase())) return `${label}: ${header.name} is given twice`;
    seen.add(header.name.toLowerCase());
  }
  return undefined;
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `between ${min} and ${max}`;
}
