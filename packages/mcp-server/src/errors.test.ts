import { AppError, own } from '@trestle/core';
import { expect, test } from 'vitest';
import { protocolFailure, toolFailure } from './errors.ts';

const log = () => {};

test('the refusal of a destructive statement names the tool that asks the user', () => {
  const error = new AppError({ code: 'above_ceiling', message: own`It destroys data`, needs: 'destroy' });
  expect(toolFailure(error, log)).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: expect.stringMatching(/^denied: It destroys data\. .*confirm_destructive_operation/),
      },
    ],
  });
});

test('the error of a resource or prompt says what to do next, even if it has no hint', () => {
  const error = new AppError({ code: 'not_found', message: 'There is no table "x"' });
  expect(protocolFailure(error, log)).toMatchObject({
    code: -32602,
    message: expect.stringMatching(
      /^Call list_tables or browse_table to see what exists\. \[data \d{12}\] There is no table "x"\. \[end \d{12}\]$/,
    ),
  });
});

test('an error that quotes a long argument is cut', () => {
  const error = new AppError({ code: 'not_found', message: `There is no table "${'x'.repeat(100_000)}"` });
  const text = JSON.stringify(toolFailure(error, log));
  expect(text).toMatch(/^.*Call list_tables.*x… \[end/);
  expect(text.length).toBeLessThan(5_000);
});

test.each(['', 'x'])('a cut error has no half of a character: %#', (start) => {
  const error = new AppError({ code: 'not_found', message: start + '😀'.repeat(3_000) });
  const [part] = toolFailure(error, log).content;
  expect(part?.type === 'text' && part.text.isWellFormed()).toBe(true);
});

test('the refusal of a statement that never runs says that no setting allows it', () => {
  const error = new AppError({ code: 'refused', message: own`ATTACH is refused` });
  expect(JSON.stringify(toolFailure(error, log))).toMatch(
    /denied: ATTACH is refused\. No setting changes that/,
  );
});
