import { expect, test } from 'vitest';
import { ownValue } from './own-value.ts';

test.each(['constructor', 'toString', '__proto__'])(
  '%s has a value only if it is a member of the record itself, not an inherited one',
  (name) => {
    expect(ownValue({}, name)).toBeUndefined();
    expect(ownValue(Object.fromEntries([[name, 1]]), name)).toBe(1);
    expect(ownValue(undefined, name)).toBeUndefined();
  },
);
