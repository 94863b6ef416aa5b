import { amount } from '@trestle/driver-kit';
import type {
  AiPolicy,
  Connection,
  ConnectionDraft,
  ExternalClients,
  Masking,
  SettingsValues,
} from '../types.ts';

const clientLevels: ExternalClients[] = ['blocked', 'readOnly', 'readWrite'];
const policies: AiPolicy[] = ['never', 'askEachTime', 'alwaysAllow'];

export const defaultReachLimit = 100;

type Levels = Pick<ConnectionDraft, 'externalClients' | 'aiPolicy' | 'masking' | 'reachLimit'>;

/** Describes each change by which clients could do or see more than before. */
export function raisedLevels(before: Pick<Connection, keyof Levels>, after: Levels): string[] {
  const raised: string[] = [];
  if (clientLevels.indexOf(after.externalClients) > clientLevels.indexOf(before.externalClients)) {
    raised.push(`External Clients: ${before.externalClients} → ${after.externalClients}`);
  }
  if (policies.indexOf(after.aiPolicy) > policies.indexOf(before.aiPolicy)) {
    raised.push(`AI Policy: ${before.aiPolicy} → ${after.aiPolicy}`);
  }
  // Fields that are left out stay unchanged.
  const { reachLimit = before.reachLimit } = after;
  if (reachLimit > before.reachLimit) {
    raised.push(`Reach Limit: ${before.reachLimit} → ${amount(reachLimit, 'row')}`);
  }
  const bared = after.masking ? baredBy(before.masking, after.masking) : [];
  if (bared.length > 0) raised.push(`Masking: no longer ${bared.join(', ')}`);
  return raised;
}

/** A new connection has these levels if none are given. */
export const defaultLevels = {
  externalClients: 'readOnly',
  aiPolicy: 'askEachTime',
  reachLimit: defaultReachLimit,
} as const satisfies Levels;

/**
 * Describes each level above the default. A connection that is new, or that leads to another database than before, has
 * no earlier levels to compare with.
 */
export function levelsAboveDefault(levels: Levels): string[] {
  // A new connection masks nothing, so no masking could be less.
  return raisedLevels(defaultLevels, { ...levels, masking: undefined });
}

/** Describes each change of the settings by which clients could write more rows than before. */
export function raisedSettings(before: SettingsValues, after: Partial<SettingsValues>): string[] {
  return hourlyLimits.flatMap(([key, label]) => {
    const raised = after[key] ?? before[key];
    return raised > before[key] ? [`${label}: ${before[key]} → ${raised}`] : [];
  });
}

const hourlyLimits = [
  ['mcpReachPerHour', 'Changed or deleted rows an hour, in reach limits'],
  ['mcpNewRowsPerHour', 'New rows an hour'],
] as const;

/**
 * The entries that were removed from `columns` or `patterns`, and the columns that were added to `open`. Each list is
 * compared alone: masking the column `email` does not replace the pattern `email`.
 */
function baredBy(before: Masking | undefined, after: Masking): string[] {
  const columns = before?.columns.filter((one) => !after.columns.includes(one)) ?? [];
  const patterns = before?.patterns.filter((one) => !after.patterns.includes(one)) ?? [];
  const opened = (after.open ?? []).filter((one) => !(before?.open ?? []).includes(one));
  return [...columns, ...patterns, ...opened];
}
