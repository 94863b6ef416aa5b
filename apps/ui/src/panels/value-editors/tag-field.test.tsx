import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TagField } from './tag-field.tsx';

const props = {
  type: 'json' as const,
  nativeType: undefined,
  label: 'tags',
  text: '["a"]',
  tags: ['a'],
  isInvalid: false,
  takesFocus: false,
  onText: () => {},
  onMisfit: () => {},
};
const field = (isReadOnly: boolean) => renderToStaticMarkup(<TagField {...props} isReadOnly={isReadOnly} />);

test('a list says how to edit it only if it can be edited', () => {
  expect(field(false)).toContain('Enter adds an entry');
  expect(field(false)).toContain('aria-describedby');
  expect(field(true)).toContain('<span>a</span>');
  expect(field(true)).not.toContain('Enter adds an entry');
  expect(field(true)).not.toContain('aria-describedby');
});
