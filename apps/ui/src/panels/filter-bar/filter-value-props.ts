import type { ColumnDescription } from '@trestle/driver-kit';
import type { FilterDraft } from './filter-draft.ts';

export interface FilterValueProps {
  draft: FilterDraft;
  number: number;
  column: ColumnDescription | undefined;
  invalid: boolean;
  describedBy: string | undefined;
  onChange(draft: FilterDraft): void;
}
