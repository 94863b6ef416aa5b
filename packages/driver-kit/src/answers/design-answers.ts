import type { Design, DesignSource } from '../design.ts';
import {
  AnswerMismatch,
  anyNumber,
  anyText,
  byName,
  list,
  mapOf,
  oneOf,
  plainData,
  plainObject,
  record,
  type Shape,
  Spent,
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

const fieldValue: Shape = (value, spent) => {
  if (Array.isArray(value)) texts(value, spent);
  else if (typeof value === 'boolean') truth(value, spent);
  else if (typeof value === 'number') anyNumber(value, spent);
  else anyText(value, spent);
};

/** Items hold items. The depth is limited where the app reads them as plain data. */
const item: Shape = (value, spent) =>
  record({ fields: mapOf(fieldValue) }, { items: list(item), from: anyText })(value, spent);

export const design = record(
  { name: anyText, fields: mapOf(fieldValue), parts: mapOf(list(item)) },
  { definition: anyText },
);

/** For a design that comes from a window, a command or a file. */
export function isDesign(value: unknown): value is Design {
  return fits(design, value);
}

/** For a source that comes from a window or a command. */
export function isDesignSource(value: unknown): value is DesignSource {
  return fits(designSource, value);
}

const foundColumn: Shape = (value, spent) =>
  record({ name: anyText, type: anyText }, { isList: truth, columns: list(foundColumn) })(value, spent);

const designSource: Shape = (value, spent) => {
  const given = plainObject(value);
  if ('table' in given) record({ table: anyText })(given, spent);
  else if ('definition' in given) record({ definition: anyText })(given, spent);
  else record({ columns: list(foundColumn) })(given, spent);
};

/** A value with very many levels ends in a `RangeError`. */
function fits(shape: Shape, value: unknown): boolean {
  try {
    shape(value, new Spent());
    return true;
  } catch (error) {
    if (error instanceof AnswerMismatch || error instanceof RangeError) return false;
    throw error;
  }
}

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
