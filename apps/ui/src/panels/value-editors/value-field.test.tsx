import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ValueField } from './value-field.tsx';

const field = (text: string) =>
  renderToStaticMarkup(
    <ValueField
      type="text"
      nativeType={undefined}
      label="note"
      text={text}
      isInvalid={false}
      takesFocus={false}
      onText={() => {}}
      onMisfit={() => {}}
    />,
  );

test('a text with carriage returns is not edited in a text field, which would replace them', () => {
  expect(field('one\ntwo')).toContain('<textarea');
  for (const text of ['one\r\ntwo', 'one\rtwo']) expect(field(text)).not.toContain('<textarea');
});
