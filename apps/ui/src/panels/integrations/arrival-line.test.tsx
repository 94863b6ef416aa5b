import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ArrivalLine } from './arrival-line.tsx';

test('the age of a call is not in the status, so a screen reader does not read each new age', () => {
  const at = new Date(Date.now() - 120_000).toISOString();
  const call = { clientName: 'Zed', tokenName: '', action: 'list_tables', outcome: 'denied' as const, at };
  const line = (props: object) => renderToStaticMarkup(<ArrivalLine name="Cursor" isOn {...props} />);
  expect(line({ call })).toContain(
    '<span role="status">Connected: list_tables, which was denied,</span> 2 min ago',
  );
  expect(line({ other: call })).toContain('“Zed” called through trestle-mcp</span> 2 min ago');
});
