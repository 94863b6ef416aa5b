import type { Manifest, ManifestField } from '@trestle/driver-kit';
import { enteredHeaders, type FieldInput, type FormValues, visibleFields } from './form-values.ts';

/** What keeps the form from being used, by field id; the connection's name is under `name`. */
export interface FormProblems {
  name?: string;
  reachLimit?: string;
  fields: Record<string, string>;
}

export function findProblems(manifest: Manifest, values: FormValues): FormProblems {
  const fields: Record<string, string> = {};
  for (const field of visibleFields(manifest, values)) {
    const problem = problemOf(field, values.fields[field.id]);
    if (problem) fields[field.id] = problem;
  }
  return {
    fields,
    ...(values.name.trim() === '' && { name: 'Give the connection a name' }),
    ...(!isReachLimit(values.reachLimit.trim()) && {
      reachLimit: 'Reach Limit is a whole number between 0 and 1000000',
    }),
  };
}

export function hasProblems(problems: FormProblems): boolean {
  if (problems.name !== undefined || problems.reachLimit !== undefined) return true;
  return Object.keys(problems.fields).length > 0;
}

function isReachLimit(text: string): boolean {
  return /^\d*$/.test(text) && Number(text) <= 1_000_000;
}

function problemOf(field: ManifestField, input: FieldInput | undefined): string | undefined {
  if (!input) return undefined;
  if (input.kind === 'headers') return headersProblem(input);
  if (field.required && isEmpty(input)) return `${field.label} is required`;
  if (field.type !== 'integer' || input.kind !== 'text' || input.text.trim() === '') return undefined;
  return integerProblem(field, input.text.trim());
}

function isEmpty(input: FieldInput): boolean {
  if (input.kind === 'text') return input.text.trim() === '';
  return input.kind === 'secret' && input.state !== 'stored' && input.text === '';
}

function integerProblem(field: ManifestField & { type: 'integer' }, text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return `${field.label} is a whole number`;
  const value = Number(text);
  const { min, max } = field;
  if (!Number.isSafeInteger(value)) return `${field.label} has too many digits`;
  if (min !== undefined && max !== undefined && (value < min || value > max)) {
    return `${field.label} is between ${min} and ${max}`;
  }
  if (min !== undefined && value < min) return `${field.label} is at least ${min}`;
  if (max !== undefined && value > max) return `${field.label} is at most ${max}`;
  return undefined;
}

function headersProblem(input: FieldInput & { kind: 'headers' }): string | undefined {
  if (input.state !== 'entered') return undefined;
  const headers = enteredHeaders(input.headers);
  const names = headers.map(({ name }) => name.trim().toLowerCase());
  if (names.some((name) => !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))) {
    return 'A header name has letters, digits and hyphens only, such as X-Api-Key';
  }
  if (new Set(names).size < names.length) return 'Each header can be given once';
  return headers.some(({ value }) => value === '') ? 'Each header needs a value' : undefined;
}
