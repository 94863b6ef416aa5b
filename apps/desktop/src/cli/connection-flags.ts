import type { AiPolicy, ConnectionDraft, ExternalClients, SafeMode } from '@trestle/core';
import { colorForms, isConnectionColor } from '../api/connection-color.ts';

/** The access levels of a connection and its marks (`word` and `color`), as flags of `connections add` and `edit`. */
export const levelOptions = {
  'external-clients': { type: 'string' },
  'ai-policy': { type: 'string' },
  'safe-mode': { type: 'string' },
  'reach-limit': { type: 'string' },
  word: { type: 'string' },
  color: { type: 'string' },
} as const;

type Values = Record<string, string | boolean | undefined>;
type Levels = Pick<
  ConnectionDraft,
  'externalClients' | 'aiPolicy' | 'safeMode' | 'reachLimit' | 'word' | 'color'
>;

/** Returns only the settings whose flag was given. */
export function readLevels(values: Values): Partial<Levels> {
  const externalClients = choice(values, 'external-clients', ['blocked', 'readOnly', 'readWrite']);
  const aiPolicy = choice(values, 'ai-policy', ['alwaysAllow', 'askEachTime', 'never']);
  const safeMode = choice(values, 'safe-mode', ['off', 'confirm', 'readOnly']);
  const reachLimit = readReachLimit(values['reach-limit']);
  return {
    ...(externalClients !== undefined && { externalClients: externalClients as ExternalClients }),
    ...(aiPolicy !== undefined && { aiPolicy: aiPolicy as AiPolicy }),
    ...(safeMode !== undefined && { safeMode: safeMode as SafeMode }),
    ...(reachLimit !== undefined && { reachLimit }),
    ...(values.word !== undefined && { word: String(values.word) || null }),
    ...(values.color !== undefined && { color: readColor(String(values.color)) }),
  };
}

function readColor(text: string): string | null {
  if (text !== '' && !isConnectionColor(text))
    throw new Error(`--color is one of ${colorForms}, not "${text}".`);
  return text || null;
}

function readReachLimit(value: Values[string]): number | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  if (!/^\d+$/.test(text) || Number(text) > 1_000_000)
    throw new Error(`--reach-limit is a whole number between 0 and 1000000, not "${text}".`);
  return Number(text);
}

function choice(values: Values, flag: string, allowed: string[]): string | undefined {
  if (values[flag] === undefined) return undefined;
  const value = String(values[flag]);
  if (!allowed.includes(value)) throw new Error(`--${flag} is one of ${allowed.join(', ')}, not "${value}".`);
  return value;
}
