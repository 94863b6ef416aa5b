import type { CountRequest, SearchSupport } from '@trestle/driver-kit';
import { hashOf } from '../../data/queries/query-hash.ts';
import { type LabColumn, settingsFor } from './comparison.ts';

/** A text that identifies the settings of a column. If the settings change, the lab shows how the metrics changed. */
export function settingsText(column: LabColumn, support: SearchSupport): string {
  const { mode, alpha, vector, objectId, targetVector, filtered } = column;
  return hashOf([mode, alpha, vector, objectId, targetVector, filtered, settingsFor(column, support)]);
}

/** A text that identifies the question that all columns answer. Metrics of different questions are not compared. */
export function questionText(asked: {
  text: string;
  k: number;
  within: CountRequest;
  right: string[];
}): string {
  return hashOf([asked.text.trim(), asked.k, asked.within, asked.right]);
}
