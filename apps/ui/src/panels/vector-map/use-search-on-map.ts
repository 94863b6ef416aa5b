import type { SearchSupport, TableDescription } from '@trestle/driver-kit';
import { useState } from 'react';
import { searchRefusal } from '../search-bar/index.ts';
import type { MapQuestion } from './map-question.ts';
import type { MapRows } from './map-rows.ts';
import { useLitRows } from './use-lit-rows.ts';

/** The search on the map, and its label. The label is undefined if the table cannot be searched by a text. */
export function useSearchOnMap(props: {
  question: Pick<MapQuestion, 'connectionId' | 'request'>;
  description: TableDescription;
  canSearch: boolean;
  targetVector: string | undefined;
  rows: MapRows | undefined;
  title: string | undefined;
}) {
  const { description, targetVector } = props;
  const [sought, setSought] = useState('');
  const mode = mapSearchMode(description.searches, targetVector);
  const byMeaning = mode === 'near_text';
  const target = byMeaning && targetVector !== undefined ? { targetVector } : {};
  const lit = useLitRows({
    ...props.question,
    description,
    asked: props.canSearch && sought && mode ? { mode, text: sought, ...target } : undefined,
    limit: 12,
    rows: props.rows,
    title: props.title,
  });
  return {
    label: mode && (byMeaning ? 'Search by meaning' : 'Search by words'),
    byMeaning,
    seek: setSought,
    rows: sought ? (lit.data ?? []) : [],
    error: lit.error,
  };
}

/** Vector search if the database makes this vector from a text, otherwise keyword search if the table has it. */
export function mapSearchMode(
  support: SearchSupport | undefined,
  targetVector = '',
): 'near_text' | 'keyword' | undefined {
  if (!support) return undefined;
  const isBrought = support.broughtVectors?.includes(targetVector);
  if (!isBrought && searchRefusal(support, 'near_text') === undefined) return 'near_text';
  return searchRefusal(support, 'keyword') === undefined ? 'keyword' : undefined;
}
