import {
  anyNumber,
  anyText,
  byName,
  list,
  mapOf,
  oneOf,
  plainData,
  record,
  type Shape,
  truth,
  wholeNumber,
} from './shape.ts';

const later = oneOf(['now', 'task', 'copy']);
const texts = list(anyText);

export const requestCode = record({ label: anyText, language: anyText, text: anyText });

const condition = record({ field: anyText, oneOf: list(plainData) });

const always = { id: anyText, label: anyText, type: anyText, later };
const sometimes = { help: anyText, visibleWhen: list(condition), advanced: truth };

const field = byName('type', {
  text: record({ ...always, default: anyText }, { ...sometimes, placeholder: anyText }),
  number: record(
    { ...always, default: anyNumber },
    { ...sometimes, min: anyNumber, max: anyNumber, whole: truth },
  ),
  boolean: record({ ...always, default: truth }, sometimes),
  choice: record(
    {
      ...always,
      default: anyText,
      choices: list(
        record({ value: anyText, label: anyText }, { help: anyText, visibleWhen: list(condition) }),
      ),
    },
    sometimes,
  ),
  texts: record({ ...always, default: texts }, sometimes),
  items: record({ ...always, default: texts, part: anyText }, sometimes),
  tables: record({ ...always, default: texts }, sometimes),
  json: record({ ...always, default: anyText }, sometimes),
});

export const designForm = record({
  groups: list(record({ title: anyText, fields: list(field) })),
  parts: list(
    record(
      { id: anyText, terms: list(anyText, 2), fields: list(field), add: later, remove: later },
      { nesting: condition },
    ),
  ),
});

/** Items hold items. The depth is limited where the app reads them as plain data. */
const item: Shape = (value, spent) =>
  record({ fields: mapOf(plainData) }, { items: list(item) })(value, spent);

export const design = record(
  { name: anyText, fields: mapOf(plainData), parts: mapOf(list(item)) },
  { definition: anyText },
);

const difference = record({ label: anyText, from: anyText, to: anyText });

export const designPlan = record(
  {
    problems: list(record({ problem: anyText }, { field: anyText, part: anyText, item: list(wholeNumber) })),
    steps: list(
      record(
        { later, title: anyText, changes: list(difference) },
        { text: anyText, cost: anyText, undo: anyText },
      ),
    ),
    code: list(requestCode),
  },
  { seen: anyText },
);

export const actStep = byName('kind', {
  send: record({ kind: anyText, title: anyText, text: anyText, state: plainData }),
  wait: record(
    { kind: anyText, title: anyText, seconds: wholeNumber, state: plainData },
    { progress: anyNumber },
  ),
  end: record({
    kind: anyText,
    ended: record({ made: oneOf(['all', 'partly', 'none']), notes: list(anyText) }),
  }),
});
