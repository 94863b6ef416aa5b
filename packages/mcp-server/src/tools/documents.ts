import { AppError, type QueryOutcome, unanswered } from '@trestle/core';
import type { Json } from '@trestle/driver-kit';

/** A query that returned only errors must not look like an empty result to a model. */
export function assertAnswered(outcome: Pick<QueryOutcome, 'results' | 'messages'>): void {
  const message = unanswered(outcome);
  if (message !== null) throw new AppError({ code: 'query_failed', message });
}

/** The document without the vectors of its objects, and the number of fields (`vector`, `vectors`) left out. */
export function withoutVectors(document: Json): { document: Json; leftOut: number } {
  let leftOut = 0;
  const strip = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name, inner]) => !isVector(name, inner));
    leftOut += Object.keys(value).length - kept.length;
    return Object.fromEntries(kept.map(([name, inner]) => [name, strip(inner)]));
  };
  return { document: strip(document), leftOut };
}

/** `vector: […]`, or `vectors: {name: […]}`. An element may be a list itself. */
function isVector(name: string, value: Json): boolean {
  if (name === 'vector') return isNumbers(value);
  if (name !== 'vectors' || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const spaces = Object.values(value);
  return spaces.length > 0 && spaces.every(isNumbers);
}

function isNumbers(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === 'number' || isNumbers(one))
  );
}
