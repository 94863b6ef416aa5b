import type { Stored } from './values.ts';

/** SQL text with separate values: `parts` has one element more than `values`. */
export interface Fragment {
  readonly parts: readonly string[];
  readonly values: readonly Stored[];
}

/** Values are bound, and never become part of the SQL text. Fragments are inserted. */
export function sql(strings: TemplateStringsArray, ...inserts: (Fragment | Stored)[]): Fragment {
  const parts = [strings[0]!];
  const values: Stored[] = [];
  inserts.forEach((insert, index) => {
    const after = strings[index + 1]!;
    if (isFragment(insert)) {
      parts[parts.length - 1] += insert.parts[0]!;
      parts.push(...insert.parts.slice(1));
      values.push(...insert.values);
      parts[parts.length - 1] += after;
    } else {
      values.push(insert);
      parts.push(after);
    }
  });
  return { parts, values };
}

export function identifier(name: string): Fragment {
  return { parts: [quoteIdentifier(name)], values: [] };
}

export function join(fragments: Fragment[], separator: string): Fragment {
  const parts = [''];
  const values: Stored[] = [];
  fragments.forEach((fragment, index) => {
    parts[parts.length - 1] += (index > 0 ? separator : '') + fragment.parts[0]!;
    for (const part of fragment.parts.slice(1)) parts.push(part);
    for (const value of fragment.values) values.push(value);
  });
  return { parts, values };
}

export function toText(fragment: Fragment): string {
  return fragment.parts.join('?');
}

/** The statement with its values inlined, for people. It has the same effect as with bound values. */
export function toReadableText(fragment: Fragment): string {
  return fragment.parts
    .map((part, index) => (index === 0 ? '' : literal(fragment.values[index - 1]!)) + part)
    .join('');
}

export function literal(value: Stored): string {
  if (value === null || Number.isNaN(value)) return 'NULL';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return realLiteral(value);
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  const quoted = value.split('\0').map((piece) => `'${piece.replaceAll("'", "''")}'`);
  // SQL text ends at a NUL, so a NUL inside a string must be written as an expression.
  return quoted.length === 1 ? quoted[0]! : `(${quoted.join(' || char(0) || ')})`;
}

/** A name in SQL: bare if unambiguous, else in double quotes. */
export function quoteIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) && !keywords.has(name.toUpperCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

function realLiteral(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function isFragment(insert: Fragment | Stored): insert is Fragment {
  return typeof insert === 'object' && insert !== null && 'parts' in insert;
}

/** https://sqlite.org/lang_keywords.html, and TRUE and FALSE: SQLite reads them as values. */
const keywords = new Set(
  `ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY
  CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH
  ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL
  GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD
  INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL
  NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE
  RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
  SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE
  USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT TRUE FALSE`.split(/\s+/),
);
