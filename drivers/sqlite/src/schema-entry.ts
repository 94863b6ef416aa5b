import type { TableSummary } from '@trestle/driver-kit';

export interface SchemaEntry extends TableSummary {
  kind: 'table' | 'view';
  definition: string | null;
  virtual: boolean;
}
