import {
  type ColumnDescription,
  type ColumnType,
  type FilterOperator,
  filterOperators,
} from '@trestle/driver-kit';

/**
 * The type for editing and filtering. SQLite derives an affinity from the declared type, and converts values to this
 * affinity when they are stored. A column gets a type here only if the type agrees with that affinity. All other
 * columns, such as dates and JSON, are `any`. Outside STRICT tables, most columns can still contain values of other
 * types.
 */
export function columnType(declared: string): ColumnType {
  const name = declared.toUpperCase().replace(/\(.*/s, '').trim();
  if (/^((TINY|SMALL|MEDIUM|BIG|UNSIGNED BIG) ?)?INT(EGER|2|4|8)?( UNSIGNED)?$/.test(name)) return 'int';
  // SQLite stores booleans as 0 and 1.
  if (name === 'BOOLEAN' || name === 'BOOL') return 'int';
  if (name.includes('INT')) return 'any';
  if (name.includes('CHAR') || name.includes('CLOB') || name.includes('TEXT')) return 'text';
  if (name.includes('BLOB')) return 'bytes';
  if (name.includes('REAL') || name.includes('FLOA') || name.includes('DOUB')) return 'number';
  return name === 'NUMERIC' || name === 'DECIMAL' || name === 'DEC' || name === 'MONEY' ? 'number' : 'any';
}

/** The filter operators of a column with this type, and how the driver reads their values. */
export function filterSupport(
  type: ColumnType,
): Pick<ColumnDescription, 'operators' | 'matching' | 'valueForm'> {
  const operators = filterOperators.map((operator) =>
    type === 'bytes' && !binaryOperators.has(operator)
      ? { operator, refusal: 'Binary data can be compared for equality and emptiness only.' }
      : { operator },
  );
  const valueForm = valueForms[type];
  return {
    operators,
    // Columns with a value form hold numbers or binary data, which have no case to ignore.
    ...(valueForm === undefined && { matching: textMatching }),
    ...(valueForm !== undefined && { valueForm }),
  };
}

const textMatching = 'contains, starts with, ends with: case ignored (A–Z); REGEX as in JavaScript';

const valueForms: Partial<Record<ColumnType, string>> = {
  int: 'a whole number such as 42',
  number: 'a number such as 3.14',
  bytes: 'base64',
};

const binaryOperators = new Set<FilterOperator>([
  'equals',
  'not_equals',
  'in_list',
  'not_in_list',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
]);
