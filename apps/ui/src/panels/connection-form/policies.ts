import type { SelectOption } from '../../controls/fields/select.tsx';
import type { ConnectionDraft } from '../../data/api/api-types.ts';

export const externalClientLevels: SelectOption<ConnectionDraft['externalClients']>[] = [
  { value: 'blocked', label: 'Blocked', detail: 'AI clients cannot see or use this connection.' },
  { value: 'readOnly', label: 'Read Only', detail: 'AI clients can read, but not change anything.' },
  { value: 'readWrite', label: 'Read & Write', detail: 'AI clients can read and change data.' },
];

export const aiPolicies: SelectOption<ConnectionDraft['aiPolicy']>[] = [
  {
    value: 'alwaysAllow',
    label: 'Always Allow',
    detail:
      'AI clients need no approval, except for statements that are destructive or exceed the Reach Limit.',
  },
  {
    value: 'askEachTime',
    label: 'Ask Each Time',
    detail: 'Each AI client needs your approval in this window first.',
  },
  { value: 'never', label: 'Never', detail: 'AI clients are refused, whatever their token allows.' },
];

export const safeModes: SelectOption<ConnectionDraft['safeMode']>[] = [
  {
    value: 'off',
    label: 'Off',
    detail: 'Your edits and statements run without asking, except destructive statements.',
  },
  {
    value: 'confirm',
    label: 'Confirm each save',
    detail: 'Every save and every statement that writes asks first.',
  },
  { value: 'readOnly', label: 'Read only', detail: 'The database cannot be changed from this window.' },
];

export const maskPatterns: {
  pattern: NonNullable<ConnectionDraft['masking']>['patterns'][number];
  label: string;
  help: string;
}[] = [
  {
    pattern: 'email',
    label: 'Email addresses',
    help: 'Such as ada@example.org, also inside a longer text.',
  },
  {
    pattern: 'card',
    label: 'Card numbers',
    help: '12 to 19 digits with the form and check digit of a payment card, also if stored as a number.',
  },
  {
    pattern: 'phone',
    label: 'Phone numbers',
    help: 'Such as +49 30 123456 or (415) 555-2671, also most whole numbers of 10 to 13 digits.',
  },
];

export function explain<Value extends string>(
  options: SelectOption<Value>[],
  value: Value,
): SelectOption<Value> {
  return options.find((option) => option.value === value)!;
}
