import type { CountRequest, SearchSupport } from '@trestle/driver-kit';
import { hashOf } from '../shared/query-hash.ts';
import { type LabColumn, settingsFor } from './comparison.ts';

/** The settings of a column, as a text. Its metrics are shown beside those before its last change of settings. */
export function settingsText(column: LabColumn, support: SearchSupport): string {
  const { mode, alpha, vector, objectId, targetVector, filtered } = column;
  return hashOf([mode, alpha, vector, objectId, targetVector, filtered, settingsFor(column, support)]);
}

/** The rest of what decides the metrics, as a text. Metrics of different questions are not compared. */
export function questionText(asked: {
  text: string;
  k: number;
  within: CountRequest;
  right: string[];
}): string {
  return hashOf([asked.text.trim(), asked.k, asked.within, asked.right]);
}
