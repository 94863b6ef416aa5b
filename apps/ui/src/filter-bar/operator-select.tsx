import { Select as BaseSelect } from '@base-ui/react/select';
import type { FilterOperator, OperatorSupport } from '@trestle/driver-kit';
import { Check, ChevronDown, ChevronRight, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../shared/class-names.ts';
import control from '../shared/control.module.css';
import popup from '../shared/popup.module.css';
import { usePopupPlace } from '../shared/popup-place.tsx';
import { operatorLabels } from './filter-draft.ts';

/** The value of the entry that shows or hides the unsupported operators. It is not an operator. */
const fold = 'not possible here';

/** The operators that run on a column. The others are in a folded list, each with its reason. */
export function OperatorSelect(props: {
  value: FilterOperator;
  operators: OperatorSupport[];
  className?: string;
  'aria-label': string;
  onValueChange(operator: FilterOperator): void;
}) {
  const place = usePopupPlace();
  const [unfolded, setUnfolded] = useState(false);
  const running = props.operators.filter(({ refusal }) => !refusal);
  const refused = props.operators.filter(({ refusal }) => refusal);
  return (
    <BaseSelect.Root
      items={props.operators.map(({ operator }) => ({ value: operator, label: operatorLabels[operator] }))}
      value={props.value as string}
      onValueChange={(value, details) => {
        if (value !== fold) return props.onValueChange(value as FilterOperator);
        details.cancel();
        setUnfolded(!unfolded);
      }}
      onOpenChange={(open, details) => {
        // The list stays open when the user chooses the entry `fold`.
        const pressed = details.event.target;
        if (!open && pressed instanceof Element && pressed.closest('[data-fold]')) return details.cancel();
        if (!open && details.reason === 'item-press' && isOnFold()) return details.cancel();
        if (!open) setUnfolded(false);
      }}
    >
      <BaseSelect.Trigger
        aria-label={props['aria-label']}
        className={classNames(control.control, control.small, props.className)}
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
              {running.map(({ operator }) => (
                <BaseSelect.Item key={operator} value={operator} className={popup.item}>
                  <span className={popup.mark}>
                    <BaseSelect.ItemIndicator>
                      <Check size={14} aria-hidden />
                    </BaseSelect.ItemIndicator>
                  </span>
                  <span className={popup.label}>
                    <BaseSelect.ItemText>{operatorLabels[operator]}</BaseSelect.ItemText>
                  </span>
                </BaseSelect.Item>
              ))}
              {refused.length > 0 && (
                <BaseSelect.Item data-fold value={fold} className={popup.item} aria-expanded={unfolded}>
                  <span className={popup.mark}>
                    {unfolded ? (
                      <ChevronDown size={14} aria-hidden />
                    ) : (
                      <ChevronRight size={14} aria-hidden />
                    )}
                  </span>
                  <span className={popup.label}>
                    <BaseSelect.ItemText>Not possible here</BaseSelect.ItemText>
                  </span>
                  <span className={popup.detail}>{refused.length}</span>
                </BaseSelect.Item>
              )}
              {unfolded &&
                refused.map(({ operator, refusal }) => (
                  <BaseSelect.Item key={operator} value={operator} disabled className={popup.item}>
                    <span className={popup.mark} />
                    <span className={popup.label}>
                      <BaseSelect.ItemText>{operatorLabels[operator]}</BaseSelect.ItemText>
                      <span className={popup.detail}>{refusal}</span>
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

/** A key event has the whole list as its target. The highlighted entry is the one that was chosen. */
function isOnFold(): boolean {
  return document.querySelector('[data-fold][data-highlighted]') !== null;
}
