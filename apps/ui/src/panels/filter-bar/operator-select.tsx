import { Select as BaseSelect } from '@base-ui/react/select';
import type { FilterOperator, OperatorSupport } from '@trestle/driver-kit';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { SelectFrame, SelectItem } from '../../controls/fields/select.tsx';
import popup from '../../controls/popups/popup.module.css';
import { operatorLabels } from './filter-draft.ts';

/** The value of the entry that shows or hides the unsupported operators. It is not an operator. */
const fold = 'not possible here';

/** The operators that run on a column. The others are in a folded list, each with the reason why it does not run. */
export function OperatorSelect(props: {
  value: FilterOperator;
  operators: OperatorSupport[];
  className?: string;
  'aria-label': string;
  onValueChange(operator: FilterOperator): void;
}) {
  const [unfolded, setUnfolded] = useState(false);
  const running = props.operators.filter(({ refusal }) => !refusal);
  const refused = props.operators.filter(({ refusal }) => refusal);
  return (
    <BaseSelect.Root
      items={props.operators.map(({ operator }) => ({ value: operator, label: operatorLabels[operator] }))}
      value={props.value as string}
      onValueChange={(value, details) => {
        // The list reports null when the chosen operator leaves it, as after a change of the column.
        if (value === null) return details.cancel();
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
      <SelectFrame size="small" className={props.className} aria-label={props['aria-label']}>
        {running.map(({ operator }) => (
          <SelectItem key={operator} value={operator} label={operatorLabels[operator]} />
        ))}
        {refused.length > 0 && (
          <BaseSelect.Item data-fold value={fold} className={popup.item} aria-expanded={unfolded}>
            <span className={popup.mark}>
              {unfolded ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
            </span>
            <span className={popup.label}>
              <BaseSelect.ItemText>Not possible here</BaseSelect.ItemText>
            </span>
            <span className={popup.detail}>{refused.length}</span>
          </BaseSelect.Item>
        )}
        {unfolded &&
          refused.map(({ operator, refusal }) => (
            <SelectItem
              key={operator}
              value={operator}
              label={operatorLabels[operator]}
              detail={refusal}
              disabled
            />
          ))}
      </SelectFrame>
    </BaseSelect.Root>
  );
}

/** Whether the user chose the entry `fold`. The highlighted entry is the chosen one. */
function isOnFold(): boolean {
  return document.querySelector('[data-fold][data-highlighted]') !== null;
}
