import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import control from './control.module.css';
import popup from './popup.module.css';
import { usePopupPlace } from './popup-place.tsx';

export interface SelectOption<Value extends string | number> {
  value: Value;
  label: string;
  /** One line below the label in the list. */
  detail?: string;
  disabled?: boolean;
}

/** A choice of one among a few. Inside a `Field` it uses the field's label; elsewhere set `aria-label`. */
export function Select<Value extends string | number>(props: {
  value: Value;
  onValueChange(value: NoInfer<Value>): void;
  options: SelectOption<Value>[];
  size?: 'small' | 'medium';
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
}) {
  const place = usePopupPlace();
  return (
    <BaseSelect.Root
      items={props.options}
      value={props.value}
      onValueChange={(value) => value !== null && props.onValueChange(value)}
      disabled={props.disabled}
    >
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
            <BaseSelect.List className={popup.list}>
              {props.options.map((option) => (
                <BaseSelect.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled}
                  className={popup.item}
                >
                  <span className={popup.mark}>
                    <BaseSelect.ItemIndicator>
                      <Check size={14} aria-hidden />
                    </BaseSelect.ItemIndicator>
                  </span>
                  <span className={popup.label}>
                    <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                    {option.detail && <span className={popup.detail}>{option.detail}</span>}
                  </span>
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
