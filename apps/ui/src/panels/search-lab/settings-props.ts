import type { SearchSupport } from '@trestle/driver-kit';
import type { LabColumn } from './comparison.ts';

export interface SettingsProps {
  column: LabColumn;
  support: SearchSupport;
  onChange(patch: Partial<LabColumn>): void;
}
