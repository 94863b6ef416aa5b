/** The eighteen operators of the grid. A driver lists for each column which ones it supports. */
export const filterOperators = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_or_equal',
  'less_than',
  'less_or_equal',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'in_list',
  'not_in_list',
  'between',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
  'regex',
] as const;

export type FilterOperator = (typeof filterOperators)[number];

export type FilterScalar = string | number | boolean;

export interface Filter {
  column: string;
  operator: FilterOperator;
  /**
   * One scalar: the text that the user typed, or a value from JSON. The driver parses it by the column's type. `in_list`
   * and `not_in_list` take an array or a comma-separated text, where quotes protect a comma. `between` takes an array
   * of two bounds. The is_… operators take no value.
   */
  value?: FilterScalar | FilterScalar[];
}

export type Match = 'all' | 'any';

export interface Sort {
  column: string;
  order: 'asc' | 'desc';
}

/** How many values an operator takes. The filter bar shows the inputs for them. */
export function operatorArity(operator: FilterOperator): 'none' | 'one' | 'two' | 'list' {
  switch (operator) {
    case 'is_null':
    case 'is_not_null':
    case 'is_empty':
    case 'is_not_empty':
      return 'none';
    case 'between':
      return 'two';
    case 'in_list':
    case 'not_in_list':
      return 'list';
    default:
      return 'one';
  }
}

/** Splits `a, "b, c", d` into its values. Inside quotes a doubled quote means one quote. `""` is the empty text. */
export function splitList(text: string): string[] {
  if (text.trim() === '') return [];
  const values: string[] = [];
  let current = '';
  let quoted = false;
  let wasQuoted = false;
  const push = () => {
    values.push(wasQuoted ? current : current.trim());
    current = '';
    wasQuoted = false;
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (quoted) {
      if (char !== '"') current += char;
      else if (text[index + 1] === '"') {
        current += '"';
        index++;
      } else quoted = false;
    } else if (char === '"' && current.trim() === '' && !wasQuoted) {
      current = '';
      quoted = true;
      wasQuoted = true;
    } else if (char === ',') push();
    else if (!wasQuoted) current += char;
    else if (char.trim() !== '') throw new SyntaxError('The list has text after a closing quote');
  }
  if (quoted) throw new SyntaxError('The list has an opening quote without a closing one');
  push();
  return values;
}
