import type { MapQuestion } from '../map-question.ts';

export const mapQuestion: MapQuestion = {
  connectionId: 'c',
  request: { table: 'notes', filters: [], match: 'all' },
  vector: 'v',
  metric: 'cosine',
  key: ['id'],
  columns: [],
  limit: 50_000,
  sample: false,
};
