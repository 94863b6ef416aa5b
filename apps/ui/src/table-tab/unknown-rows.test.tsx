import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UnknownRows } from './unknown-rows.tsx';

const nothing = () => {};
const acts = { onSendAgain: nothing, onLook: nothing, onDiscard: nothing };

test('all actions on rows that may have been stored can be disabled, for example during a save', () => {
  const during = renderToStaticMarkup(<UnknownRows count={1} keyed disabled {...acts} />);
  expect(during.match(/<button[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/aria-disabled="true".*Look for it$/),
    expect.stringMatching(/aria-disabled="true".*Send again$/),
    expect.stringMatching(/aria-disabled="true".*Discard row$/),
  ]);
  expect(renderToStaticMarkup(<UnknownRows count={1} keyed disabled={false} {...acts} />)).not.toContain(
    'aria-disabled="true"',
  );
});
