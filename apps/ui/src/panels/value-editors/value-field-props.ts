import type { Cell, ColumnType } from '@trestle/driver-kit';
import type { ReactNode } from 'react';

export interface ValueFieldProps {
  type: ColumnType;
  nativeType: string | undefined;
  label: string;
  /** The text of the value. Every way to edit changes this text. */
  text: string;
  placeholder?: string;
  isInvalid: boolean;
  isReadOnly?: boolean;
  takesFocus: boolean;
  picker?: ((cell: Cell | undefined, onChange: (cell: Cell) => void) => ReactNode) | undefined;
  onText(text: string): void;
  /**
   * Reports why a typed list entry does not fit; null without a problem. `text` does not include an entry that does not
   * fit.
   */
  onMisfit(problem: string | null): void;
  /** Called on Enter in a field of one line, or in the empty field for a new entry of a list. */
  onEnter?(): void;
}
