import { randomUUID } from 'node:crypto';
import { type ConnectionFields, defaultFields, isSecretField, type Manifest } from '@trestle/driver-kit';
import { levelsAboveDefault, raisedLevels } from '../administration/raised-levels.ts';
import { AppError, isAppError } from '../errors.ts';
import { refuseUnsafePaths } from '../sessions/driver-fields.ts';
import type { Connection, ConnectionDraft, ImportedConnection } from '../types.ts';
import { assertPlainName } from './plain-connection-name.ts';
import { toConnection, withKept } from './to-connection.ts';
import { type ValidDraft, validateDraft } from './validate-draft.ts';

/** The plan for one connection of an import. */
export interface ImportPlan {
  before: Connection | null;
  after: Connection;
  valid: ValidDraft;
  summary: ImportedConnection;
}

/** Checks a whole import before anything is written. Throws the first reason why it cannot be done. */
export function planImport(
  drafts: ConnectionDraft[],
  options: { existing: Connection[]; replace: boolean; home: string; manifestOf(driver: string): Manifest },
): ImportPlan[] {
  const names = drafts.map(({ name }) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw conflict(`Two of the connections are named "${twice}"`, 'Give each its own name.');
  return drafts.map((draft) => {
    try {
      return planOne(draft, options);
    } catch (error) {
      if (!isAppError(error) || error.code === 'conflict') throw error;
      const { code, message, hint } = error;
      throw new AppError({ code, message: `"${draft.name}": ${message}`, ...(hint && { hint }) });
    }
  });
}

function planOne(draft: ConnectionDraft, options: Parameters<typeof planImport>[1]): ImportPlan {
  const name = draft.name.trim();
  const [before = null, another] = options.existing.filter((one) => one.name === name);
  if (before && !options.replace) {
    throw conflict(
      `A connection named "${name}" already exists`,
      'Nothing was imported. Use --replace to replace the existing one.',
    );
  }
  if (another)
    throw conflict(`Several connections are named "${name}"`, 'Rename or remove all but one of them.');
  if (!before) assertPlainName(name);
  const manifest = options.manifestOf(draft.driver);
  const whole = withKept(draft, before);
  // An export contains no secrets, so an import does not require them. The user enters them later.
  const valid = validateDraft(whole, manifest, { secrets: 'optional' });
  refuseUnsafePaths(manifest, valid.fields, options.home);
  // If the driver or a field that is not secret changed, the stored secrets are dropped. A kept secret could go to
  // another host, or over weaker TLS.
  const isMoved = before?.driver !== draft.driver || !isSame(manifest, before.fields, valid.fields);
  const kept = before && !isMoved ? before.storedSecrets : [];
  const now = new Date().toISOString();
  const identity = before ?? { id: randomUUID(), sample: false, createdAt: now };
  const after = toConnection(whole, valid, { ...identity, updatedAt: now }, kept);
  return { before, after, valid, summary: summarize({ before, after, isMoved }, valid, manifest) };
}

function summarize(
  { before, after, isMoved }: { before: Connection | null; after: Connection; isMoved: boolean },
  { secrets }: ValidDraft,
  manifest: Manifest,
): ImportedConnection {
  const { id, name } = after;
  const aboveDefault = isMoved ? levelsAboveDefault(after) : [];
  const label = (field: string) => manifest.fields.find((one) => one.id === field)?.label ?? field;
  if (!before) {
    const changes = [
      ...manifest.fields
        .filter((field) => !isSecretField(field) && after.fields[field.id] !== undefined)
        .map((field) => `${field.label}: ${textOf(after.fields[field.id])}`),
      `External Clients: ${after.externalClients}`,
      `AI Policy: ${after.aiPolicy}`,
    ];
    return { id, name, outcome: 'created', changes, raises: [], aboveDefault, droppedSecrets: [] };
  }
  const changes = [
    ...changed('Driver', before.driver, after.driver),
    ...manifest.fields
      .filter((field) => !isSecretField(field))
      .flatMap((field) => changed(field.label, before.fields[field.id], after.fields[field.id])),
    ...[...secrets].flatMap(([field, value]) => {
      if (value !== null) return [`${label(field)}: a new one`];
      return before.storedSecrets.includes(field) ? [`${label(field)}: removed`] : [];
    }),
    ...changed('External Clients', before.externalClients, after.externalClients),
    ...changed('AI Policy', before.aiPolicy, after.aiPolicy),
    ...changed('Safe Mode', before.safeMode, after.safeMode),
    ...changed('Color', before.color, after.color),
    ...changed('Word', before.word, after.word),
    ...changed('Masking', before.masking, after.masking),
    ...changed('Reach Limit', before.reachLimit, after.reachLimit),
  ];
  const droppedSecrets = before.storedSecrets
    .filter((field) => !after.storedSecrets.includes(field) && !secrets.has(field))
    .map(label);
  const outcome = changes.length + droppedSecrets.length === 0 ? 'unchanged' : 'replaced';
  return { id, name, outcome, changes, raises: raisedLevels(before, after), aboveDefault, droppedSecrets };
}

function changed(label: string, before: unknown, after: unknown): string[] {
  const [from, to] = [textOf(before), textOf(after)];
  return from === to ? [] : [`${label}: ${from} → ${to}`];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether `a` and `b` have the same values. A missing field counts as its default: a newer driver may have added it. */
export function isSame(manifest: Manifest, a: ConnectionFields, b: ConnectionFields): boolean {
  const text = (fields: ConnectionFields) => {
    const whole = Object.entries({ ...defaultFields(manifest), ...fields });
    return JSON.stringify(whole.sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return text(a) === text(b);
}

function conflict(message: string, hint: string): AppError {
  return new AppError({ code: 'conflict', message, hint });
}
