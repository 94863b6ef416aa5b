import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import popup from '../popups/popup.module.css';
import { usePopupPlace } from '../popups/popup-place.tsx';
import { classNames } from '../styles/class-names.ts';
import control from './control.module.css';

export interface SelectOption<Value extends string | number> {
  value: Value;
  label: string;
  /** One line below the label in the list. */
  detail?: string;
  disabled?: boolean;
}

/** A choice of one option. Inside a `Field`, it uses the field's label; elsewhere set `aria-label`. */
export function Select<Value extends string | number>(props: {
  value: Value;
  onValueChange(value: NoInfer<Value>): void;
  options: SelectOption<Value>[];
  size?: 'small' | 'medium';
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
}) {
  return (
    <BaseSelect.Root
      items={props.options}
      value={props.value}
      onValueChange={(value) => value !== null && props.onValueChange(value)}
      disabled={props.disabled}
    >
      <SelectFrame size={props.size} className={props.className} aria-label={props['aria-label']}>
        {props.options.map((option) => (
          <SelectItem key={option.value} {...option} />
        ))}
      </SelectFrame>
    </BaseSelect.Root>
  );
}

/** The button that shows the chosen value, and the list that the button opens. */
export function SelectFrame(props: {
  size?: 'small' | 'medium' | undefined;
  className?: string | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
}) {
  const place = usePopupPlace();
  return (
    <>
      <BaseSelect.Trigger
        aria-label={props['aria-label']}
        className={classNames(control.control, props.size === 'small' && control.small, props.className)}
      >
        <BaseSelect.Value className={control.value} />
        <BaseSelect.Icon className={control.icon}>
          <ChevronsUpDown size={13} aria-hidden />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal container={place}>
        <BaseSelect.Positioner
          className={popup.positioner}
          align="start"
          sideOffset={4}
          alignItemWithTrigger={false}
        >
          <BaseSelect.Popup className={popup.popup}>
            <BaseSelect.List className={popup.list}>{props.children}</BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </>
  );
}

export function SelectItem({ value, label, detail, disabled }: SelectOption<string | number>) {
  return (
    <BaseSelect.Item value={value} disabled={disabled} className={popup.item}>
      <span className={popup.mark}>
        <BaseSelect.ItemIndicator>
          <Check size={14} aria-hidden />
        </BaseSelect.ItemIndicator>
      </span>
      <span className={popup.label}>
        <BaseSelect.ItemText>{label}</BaseSelect.ItemText>
        {detail && <span className={popup.detail}>{detail}</span>}
      </span>
    </BaseSelect.Item>
  );
}
