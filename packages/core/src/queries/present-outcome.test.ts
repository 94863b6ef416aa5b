import { expect, test } from 'vitest';
import { Mask } from '../masking/mask.ts';
import { presentOutcome } from './present-outcome.ts';

test('neither an error nor a warning of a row shows a secret or a masked value', () => {
  const mask = new Mask({ columns: [], patterns: ['email'] }, { driverGuards: true });
  const redact = (text: string) => text.replaceAll('hunter2', '•••');
  const said = 'refused hunter2 for ada@lovelace.example';
  const outcomes = [
    { id: 'a', status: 'applied' as const, warning: said },
    { id: 'b', status: 'failed' as const, error: { code: 'query_failed' as const, message: said } },
  ];
  const shown = outcomes.map((one) => presentOutcome(one, { table: 't', mask, redact }));
  expect(shown).toEqual([
    { id: 'a', status: 'applied', warning: 'refused ••• for •••' },
    { id: 'b', status: 'failed', error: { code: 'query_failed', message: 'refused ••• for •••' } },
  ]);
});
