import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import popup from '../popups/popup.module.css';
import { usePopupPlace } from '../popups/popup-place.tsx';
import { classNames } from '../styles/class-names.ts';
import type { ComboboxProps } from './combobox-props.ts';
import control from './control.module.css';
import type { SelectOption } from './select.tsx';

/** The most entries that are drawn. Thousands of entries would delay the first key press. */
const shown = 200;

/** The field itself, with its list. */
export default function ComboboxField<Value extends string>(props: ComboboxProps<Value>) {
  const options = useKeptOptions(props.options);
  const selected = options.find((option) => option.value === props.value) ?? null;
  const place = usePopupPlace();
  return (
    <BaseCombobox.Root
      items={options}
      limit={shown}
      autoHighlight
      value={selected}
      isItemEqualToValue={(a, b) => a.value === b.value}
      onValueChange={(option) => option && props.onValueChange(option.value)}
    >
      <BaseCombobox.InputGroup
        className={classNames(control.control, props.size === 'small' && control.small, props.className)}
      >
        <BaseCombobox.Input
          aria-label={props['aria-label']}
          placeholder={props.placeholder}
          // The text is the present choice: what the user types replaces it.
          onFocus={(event) => event.currentTarget.select()}
          onClick={(event) => {
            const { selectionStart, selectionEnd } = event.currentTarget;
            if (selectionStart === selectionEnd) event.currentTarget.select();
          }}
        />
        <BaseCombobox.Trigger className={control.icon} aria-label="Show all">
          <ChevronDown size={13} aria-hidden />
        </BaseCombobox.Trigger>
      </BaseCombobox.InputGroup>
      <BaseCombobox.Portal container={place}>
        <BaseCombobox.Positioner className={popup.positioner} align="start" sideOffset={4}>
          <BaseCombobox.Popup className={popup.popup}>
            <BaseCombobox.Empty className={popup.empty}>
              {props.empty ?? 'Nothing matches'}
            </BaseCombobox.Empty>
            <BaseCombobox.List className={popup.list}>
              {(option: SelectOption<Value>) => (
                <BaseCombobox.Item
                  key={option.value}
                  value={option}
                  disabled={option.disabled}
                  className={popup.item}
                >
                  <span className={popup.mark}>
                    <BaseCombobox.ItemIndicator>
                      <Check size={14} aria-hidden />
                    </BaseCombobox.ItemIndicator>
                  </span>
                  <span className={popup.label}>
                    {option.label}
                    {option.detail && <span className={popup.detail}>{option.detail}</span>}
                  </span>
                </BaseCombobox.Item>
              )}
            </BaseCombobox.List>
            {options.length > shown && (
              <p className={popup.more}>
                At most {shown} of {options.length.toLocaleString('en')} are shown: type to find others
              </p>
            )}
          </BaseCombobox.Popup>
        </BaseCombobox.Positioner>
      </BaseCombobox.Portal>
    </BaseCombobox.Root>
  );
}

/** Keeps the old list while a new list has equal options. A new list would reset the text that the user is typing. */
function useKeptOptions<Value extends string>(options: SelectOption<Value>[]): SelectOption<Value>[] {
  const kept = useRef(options);
  const isSame =
    kept.current.length === options.length &&
    kept.current.every(({ value, label, detail, disabled }, at) => {
      const other = options[at];
      return (
        value === other?.value &&
        label === other.label &&
        detail === other.detail &&
        disabled === other.disabled
      );
    });
  if (!isSame) kept.current = options;
  return kept.current;
}
