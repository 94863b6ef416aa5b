import { type ChangeEvent, type RefObject, useLayoutEffect } from 'react';
import type { ValueFieldProps } from './value-field-props.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** The attributes of an `input` or `textarea` for a value. If it takes the focus, its text is selected. */
export function usePlainText(props: ValueFieldProps, field: RefObject<TextElement | null>) {
  const { takesFocus } = props;
  useLayoutEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    field.current?.select();
  }, [takesFocus, field]);
  return {
    value: props.text,
    readOnly: props.isReadOnly,
    'aria-label': props.label,
    'aria-invalid': props.isInvalid,
    placeholder: props.placeholder,
    spellCheck: false,
    'data-grid-editor': true,
    onChange: (event: ChangeEvent<TextElement>) => props.onText(event.target.value),
  };
}
