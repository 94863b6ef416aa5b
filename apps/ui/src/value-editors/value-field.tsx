import type { Cell, ColumnType } from '@trestle/driver-kit';
import { parseCell } from '@trestle/driver-kit';
import type { ReactNode } from 'react';
import { editText } from '../grid/edit-text.ts';
import { TextArea } from './text-area.tsx';

export interface ValueFieldProps {
  type: ColumnType;
  label: string;
  /** The one value: every way to change it works on this text. */
  text: string;
  placeholder?: string;
  isInvalid: boolean;
  isReadOnly?: boolean;
  takesFocus: boolean;
  picker?: ((cell: Cell | undefined, onChange: (cell: Cell) => void) => ReactNode) | undefined;
  onText(text: string): void;
}

/** The field for a value of a type, with the help that its type offers. The text itself can always be typed. */
export function ValueField(props: ValueFieldProps) {
  const { text, onText } = props;
  if (props.picker && !props.isReadOnly) {
    const whole = parseCell(text.trim() === '' ? 'null' : text, 'json');
    return (
      <>
        {props.picker(whole.ok ? whole.cell : undefined, (next) => onText(editText(next)))}
        <TextArea {...props} />
      </>
    );
  }
  return <TextArea {...props} />;
}
