import type { TableDescription } from '@trestle/driver-kit';
import { useState } from 'react';
import type { MapQuestion } from './map-question.ts';
import type { MapRows } from './map-rows.ts';
import { useLitRows } from './use-lit-rows.ts';

/**
 * The search on the map: vector search if the database makes vectors from text, otherwise keyword search.
 */
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
  const nearText = description.searches?.modes.find(({ mode }) => mode === 'near_text');
  const byMeaning = nearText !== undefined && nearText.refusal === undefined;
  const target = byMeaning && targetVector !== undefined ? { targetVector } : {};
  const lit = useLitRows({
    ...props.question,
    description,
    asked:
      props.canSearch && sought
        ? { mode: byMeaning ? 'near_text' : 'keyword', text: sought, ...target }
        : undefined,
    limit: 12,
    rows: props.rows,
    title: props.title,
  });
  return {
    label: byMeaning ? 'Search by meaning' : 'Search by words',
    byMeaning,
    seek: setSought,
    rows: sought ? (lit.data ?? []) : [],
    error: lit.error,
  };
}
