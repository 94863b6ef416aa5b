import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { classNames } from '../styles/class-names.ts';
import control from './control.module.css';

/** A box that filters a list. Escape empties the box. In an empty box, Escape is passed to the caller. */
export function SearchField(props: {
  value: string;
  onValueChange(value: string): void;
  label: string;
  ref?: Ref<HTMLInputElement>;
  onKeyDown?(event: KeyboardEvent<HTMLInputElement>): void;
}) {
  return (
    <div className={classNames(control.control, control.small)}>
      <Search size={13} aria-hidden className={control.icon} />
      <input
        ref={props.ref}
        type="text"
        aria-label={props.label}
        placeholder={props.label}
        autoComplete="off"
        spellCheck={false}
        value={props.value}
        onChange={(event) => props.onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && props.value && !event.nativeEvent.isComposing) {
            event.stopPropagation();
            props.onValueChange('');
          } else props.onKeyDown?.(event);
        }}
      />
      {props.value && (
        <button
          type="button"
          className={control.icon}
          aria-label={`Clear: ${props.label}`}
          onClick={(event) => {
            // The button disappears with the text. Without this line, the focus would be lost.
            event.currentTarget.parentElement?.querySelector('input')?.focus();
            props.onValueChange('');
          }}
        >
          <X size={13} aria-hidden />
        </button>
      )}
    </div>
  );
}
