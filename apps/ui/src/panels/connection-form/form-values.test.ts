import type { Manifest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Connection } from '../../data/api/api-types.ts';
import { findProblems, hasProblems } from './form-problems.ts';
import {
  afterChange,
  copyOf,
  type FormValues,
  fillFields,
  newValues,
  sameValues,
  toDraft,
  valuesOf,
  visibleFields,
} from './form-values.ts';

const manifest = {
  id: 'demo',
  name: 'Demo',
  fields: [
    { id: 'host', type: 'text', label: 'Host', required: true, default: 'localhost' },
    { id: 'port', type: 'integer', label: 'Port', default: 8080, min: 1, max: 65535 },
    {
      id: 'auth',
      type: 'choice',
      label: 'Authentication',
      default: 'none',
      choices: [
        { value: 'none', label: 'None' },
        { value: 'key', label: 'API key' },
      ],
    },
    {
      id: 'key',
      type: 'secret',
      label: 'API key',
      required: true,
      visibleWhen: { field: 'auth', oneOf: ['key'] },
    },
    { id: 'verify', type: 'boolean', label: 'Verify', advanced: true },
    { id: 'headers', type: 'secretHeaders', label: 'Keys', advanced: true },
  ],
} as unknown as Manifest;

const saved: Connection = {
  id: 'c1',
  name: 'Cluster',
  driver: 'demo',
  fields: { host: 'db.example', port: 443, auth: 'key', verify: true },
  storedSecrets: ['key', 'headers'],
  externalClients: 'blocked',
  aiPolicy: 'never',
  safeMode: 'confirm',
  reachLimit: 25,
  color: 'green',
  word: 'PROD',
  sample: false,
  createdAt: '2026-07-01T00:00:00Z',
  updatedAt: '2026-07-01T00:00:00Z',
};

function withField(values: FormValues, id: string, input: FormValues['fields'][string]): FormValues {
  return { ...values, fields: { ...values.fields, [id]: input } };
}

test('a new form begins with the defaults and a free name', () => {
  const values = newValues(manifest, ['Demo', 'Demo 2']);
  expect(values.name).toBe('Demo 3');
  expect(toDraft(manifest, values)).toEqual({
    name: 'Demo 3',
    driver: 'demo',
    fields: { host: 'localhost', port: 8080, auth: 'none', verify: false },
    externalClients: 'readOnly',
    aiPolicy: 'askEachTime',
    safeMode: 'off',
    color: null,
    word: null,
    masking: { columns: [], patterns: [] },
    reachLimit: 100,
  });
  expect(hasProblems(findProblems(manifest, values))).toBe(false);
});

test('a field that depends on another field is visible only if the other has the right value', () => {
  const values = newValues(manifest, []);
  const ids = (shown: FormValues) => visibleFields(manifest, shown).map(({ id }) => id);
  expect(ids(values)).not.toContain('key');
  expect(ids(withField(values, 'auth', { kind: 'text', text: 'key' }))).toContain('key');
});

test('stored secrets stay unless they are replaced or removed', () => {
  const values = valuesOf(manifest, saved);
  expect(toDraft(manifest, values).fields).toEqual(saved.fields);
  const replaced = withField(values, 'key', { kind: 'secret', state: 'entered', text: 'new' });
  expect(toDraft(manifest, replaced).fields).toEqual({ ...saved.fields, key: 'new' });
  const blank = withField(values, 'headers', {
    kind: 'headers',
    state: 'entered',
    headers: [{ name: ' ', value: '' }],
  });
  expect(findProblems(manifest, blank).fields).toEqual({});
  expect(toDraft(manifest, blank).fields).toEqual(saved.fields);
  const removed = withField(values, 'headers', { kind: 'headers', state: 'removed', headers: [] });
  expect(toDraft(manifest, removed).fields).toEqual({ ...saved.fields, headers: null });
});

test('an emptied field returns to its stored secret, and a field without a stored secret stays empty', () => {
  const { key, headers } = valuesOf(manifest, saved).fields;
  const emptied = { kind: 'secret', state: 'entered', text: '' } as const;
  const typed = { ...emptied, text: 'x' };
  expect(afterChange(key, typed)).toEqual(typed);
  expect(afterChange(key, emptied)).toEqual({ kind: 'secret', state: 'stored', text: '' });
  expect(afterChange(newValues(manifest, []).fields.key, emptied)).toEqual(emptied);
  const removed = { ...emptied, state: 'removed' } as const;
  expect(afterChange(key, removed)).toEqual(removed);
  const noRows = { kind: 'headers', state: 'entered', headers: [] } as const;
  expect(afterChange(headers, { ...noRows, headers: [] })).toEqual({ ...noRows, state: 'stored' });
  const row = { kind: 'headers', state: 'entered', headers: [{ name: '', value: '' }] } as const;
  expect(afterChange(headers, { ...row, headers: [...row.headers] })).toEqual(row);
});

test('a typed secret is not sent if its field is hidden', () => {
  const typed = withField(newValues(manifest, []), 'key', { kind: 'secret', state: 'entered', text: 'x' });
  expect('key' in toDraft(manifest, typed).fields).toBe(false);
});

test('a copied connection asks for its required secrets again', () => {
  const copy = copyOf(manifest, saved, ['Cluster']);
  expect(copy.name).toBe('Cluster copy');
  expect(findProblems(manifest, copy).fields).toEqual({ key: 'API key is required' });
});

test('each problem is listed by its field, with the rule that the value breaks', () => {
  let values = newValues(manifest, []);
  values = { ...values, name: ' ' };
  values = withField(values, 'host', { kind: 'text', text: ' ' });
  values = withField(values, 'port', { kind: 'text', text: '70000' });
  values = withField(values, 'headers', {
    kind: 'headers',
    state: 'entered',
    headers: [{ name: 'X Key', value: 'v' }],
  });
  expect(findProblems(manifest, values)).toEqual({
    name: 'Give the connection a name',
    fields: {
      host: 'Host is required',
      port: 'Port must be between 1 and 65535',
      headers: "Keys: a header name has only letters, digits and !#$%&'*+-.^_`|~, such as X-Api-Key",
    },
  });
  expect(findProblems(manifest, withField(values, 'port', { kind: 'text', text: '80a' })).fields.port).toBe(
    'Port must be a whole number',
  );
});

test('several fields are filled at once, but never a secret', () => {
  const { fields } = valuesOf(manifest, saved);
  const filled = fillFields(fields, { host: 'a.example', port: 80, verify: false, key: 'x', unknown: 1 });
  expect(filled).toEqual({
    ...fields,
    host: { kind: 'text', text: 'a.example' },
    port: { kind: 'text', text: '80' },
    verify: { kind: 'boolean', on: false },
  });
});

test('masked columns are sent without blanks and repeats', () => {
  const values = valuesOf(manifest, { ...saved, masking: { columns: ['people.email'], patterns: ['card'] } });
  const masking = {
    columns: [...values.masking.columns, '', ' salary ', 'salary'],
    patterns: values.masking.patterns,
  };
  expect(toDraft(manifest, { ...values, masking }).masking).toEqual({
    columns: ['people.email', 'salary'],
    patterns: ['card'],
  });
});

test('a form counts as changed only if a value differs', () => {
  const values = valuesOf(manifest, saved);
  expect(sameValues(values, valuesOf(manifest, saved))).toBe(true);
  expect(sameValues(values, { ...values, color: 'red' })).toBe(false);
});
