import { expect, test } from 'vitest';
import { formatText } from './format-text.ts';

test('SQL is formatted, and its comments are kept', async () => {
  const { text, problems } = await formatText('-- all\nselect a,b from t where a=1; select 2', 'sql');
  expect(problems).toEqual([]);
  expect(text).toBe('-- all\nselect\n  a,\n  b\nfrom\n  t\nwhere\n  a = 1;\n\nselect\n  2');
});

test('requests are formatted one by one, and comments are kept', async () => {
  const before =
    '# first\n{ Get { A(limit: 3) { b # why\n c } } }\n\nPOST /objects {"class":"A","n":12345678901234567890}\n\nGET   /nodes';
  const { text, problems } = await formatText(before, 'graphql');
  expect(problems).toEqual([]);
  expect(text).toBe(
    '# first\n{\n  Get {\n    A(limit: 3) {\n      b # why\n      c\n    }\n  }\n}\n\n' +
      'POST /objects\n{\n  "class": "A",\n  "n": 12345678901234567890\n}\n\nGET   /nodes',
  );
});

test('text that does not parse stays unchanged and is reported as a problem', async () => {
  const before = '{ Get {\n\nGET /a\n\nPOST /objects {oops}';
  const { text, problems } = await formatText('GET /a\n\nPOST /objects {oops}', 'graphql');
  expect(text).toBe('GET /a\n\nPOST /objects {oops}');
  expect(problems).toEqual([expect.stringMatching(/^Line 3 was left as it is: /)]);
  const selected = await formatText('POST /objects {oops}', 'graphql', 10);
  expect(selected.problems).toEqual([expect.stringMatching(/^Line 10 was left as it is: /)]);
  expect((await formatText(before, 'graphql')).text).toBe(before);
  const broken = await formatText('SELECT (', 'sql');
  expect([broken.text, broken.problems.length]).toEqual(['SELECT (', 1]);
});
