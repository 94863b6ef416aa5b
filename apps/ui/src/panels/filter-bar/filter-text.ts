import { type Filter, type FilterOperator, operatorArity } from '@trestle/driver-kit';
import { operatorLabels } from './filter-draft.ts';

/** The operator as it is written between a column and its value. */
const signs: Partial<Record<FilterOperator, string>> = {
  equals: '=',
  not_equals: '≠',
  greater_than: '>',
  greater_or_equal: '≥',
  less_than: '<',
  less_or_equal: '≤',
  in_list: 'in',
  not_in_list: 'not in',
};

/** The text of a chip: column, operator and value. */
export function filterWords({ column, operator, value }: Filter): {
  column: string;
  sign: string;
  value: string;
} {
  const values = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const sign = signs[operator] ?? operatorLabels[operator];
  const arity = operatorArity(operator);
  if (arity === 'none') return { column, sign, value: '' };
  if (arity === 'two') return { column, sign, value: values.map(shown).join(' and ') };
  return { column, sign, value: values.map(shown).join(', ') };
}

export function filterText(filter: Filter): string {
  const { column, sign, value } = filterWords(filter);
  return [column, sign, value].filter((word) => word !== '').join(' ');
}

/** An empty text must not look like a missing value. */
function shown(value: string): string {
  return value === '' ? '“”' : value;
}
