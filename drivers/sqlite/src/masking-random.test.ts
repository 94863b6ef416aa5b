import { type Cell, cellAt, isDriverError, maskedColumn, type RunOutcome } from '@trestle/driver-kit';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import { expect, test } from 'vitest';
import { call, type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

/** How many statements the test tries. `npm run proofs -- masking` tries more. */
const rounds = Number(process.env.TRESTLE_FUZZ_CASES ?? 4_000);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_115);

/** The content of a database file. The two files of the test differ only in the guarded column. */
const schema = (emails: string[]) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, age INTEGER);
  INSERT INTO users VALUES (1, 'Ada', '${emails[0]}', 36), (2, 'Bob', '${emails[1]}', 40), (3, 'Cy', '${emails[2]}', 36);
  CREATE INDEX users_email ON users (email);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, email TEXT, total INTEGER);
  INSERT INTO orders VALUES (1, 1, 'a', 5), (2, 3, 'm', 7), (3, 2, 'z', 7);
  CREATE VIEW contacts AS SELECT id, email AS contact, age FROM users;
  CREATE VIEW chosen AS SELECT id FROM users WHERE email > 'm';
  CREATE VIEW deeper AS SELECT contact AS deep, id FROM contacts WHERE id > 1;
`;

test(`${rounds} random statements give the same answers for two files with different guarded values`, {
  timeout: 120_000 + rounds * 10,
}, async () => {
  const pairs = await Promise.all(
    // The statistics of ANALYZE differ between the files of the second pair.
    ['', 'ANALYZE;'].map(async (last, index) => [
      await temporaryDatabase(schema(['a', 'm', 'z']) + last, `one${index}.db`),
      await temporaryDatabase(schema(['z', 'a', 'a']) + last, `two${index}.db`),
    ]),
  );
  const guarded = maskedColumn('users.email');
  const random = randomSource(seed);
  const counts = { ran: 0, refused: 0, invalid: 0, masked: 0 };
  for (let round = 0; round < rounds; round++) {
    const text = statement(random);
    const [one, two] = pairs[round % 4 === 0 ? 1 : 0]!;
    const attempt = ({ session }: TemporaryDatabase) =>
      session.run({ text, ceiling: 'read', limit: 50, guarded }, call).then(shown, (error) => {
        if (!isDriverError(error)) throw error;
        return { error: error.code, message: error.message };
      });
    const [first, second] = [await attempt(one!), await attempt(two!)];
    expect(first, text).toEqual(second);
    if (!('error' in first)) {
      counts.ran++;
      if (JSON.stringify(first).includes('•••')) counts.masked++;
    } else if (first.error === 'refused') counts.refused++;
    else counts.invalid++;
  }
  // The generator must reach every kind of outcome, or the test proves little.
  expect(
    Object.values(counts).every((count) => count > rounds / 15),
    JSON.stringify(counts),
  ).toBe(true);
});

/** The result as an external client sees it. */
function shown({ results }: RunOutcome): { rows: Cell[][] } {
  const rows = results.flatMap((result) => {
    if (result.kind !== 'rows') return [];
    const { columns, rowCount } = result.rows;
    return Array.from({ length: rowCount }, (_, row) =>
      columns.map((head, column) => (head.masked ? '•••' : cellAt(result.rows, column, row))),
    );
  });
  return { rows };
}

interface Source {
  text: string;
  columns: string[];
}

const users = ['id', 'name', 'email', 'age', 'users.email', '"EMAIL"', '(email)', 'rowid', '*'];
const both = ['users.email', 'users.id', 'name', 'total', 'orders.email', '*'];
const sources: Source[] = [
  { text: 'users NOT INDEXED', columns: users },
  { text: 'users', columns: users },
  { text: 'users u', columns: ['u.email', 'id', 'email', 'u.name', 'u.*'] },
  { text: 'orders', columns: ['id', 'email', 'total', '*'] },
  { text: 'contacts', columns: ['id', 'contact', 'age', '*'] },
  { text: 'deeper', columns: ['deep', 'id', '*'] },
  { text: 'chosen', columns: ['id', '*'] },
  { text: 'users JOIN orders ON orders.user_id = users.id', columns: both },
  { text: 'users LEFT JOIN orders ON total > 5', columns: both },
  { text: 'orders LEFT JOIN users ON total > 5', columns: both },
  { text: 'orders LEFT JOIN users ON users.id % 7 < 6', columns: both },
  { text: 'users JOIN orders USING (id)', columns: ['id', 'users.email', 'total', '*'] },
  { text: 'users JOIN orders USING (email)', columns: ['total', 'name', '*'] },
  { text: 'orders FULL JOIN users USING (email)', columns: ['email', 'name', '*'] },
  { text: 'orders NATURAL JOIN users', columns: ['email', 'name', 'total'] },
  { text: 'users a JOIN users b ON a.email < b.email', columns: ['a.id', 'b.id', 'a.email'] },
  { text: 'contacts JOIN orders USING (id)', columns: ['contact', 'id', 'total'] },
  { text: '(SELECT id, email AS s, age FROM users)', columns: ['id', 's', 'age'] },
  { text: '(SELECT id, age FROM users)', columns: ['id', 'age', '*'] },
];

function statement(random: RandomSource): string {
  const from = random.pick(random.below(2) === 0 ? sources.slice(0, 3) : sources);
  const plain = select(random, from);
  switch (random.below(14)) {
    case 0:
      return `WITH c AS (${plain}) SELECT * FROM c${tail(random, ['s', 'id', 'email'])}`;
    case 1:
      return `${plain} ${random.pick(['UNION', 'UNION ALL', 'EXCEPT'])} ${plain}`;
    case 2:
      return `SELECT ${random.pick(['*', 's', 'id'])} FROM (${plain})${tail(random, ['s', 'id', 'email'])}`;
    case 3:
      return `WITH contacts AS (${plain}) SELECT * FROM contacts${tail(random, ['s', 'id'])}`;
    default:
      return plain + tail(random, from.columns);
  }
}

function select(random: RandomSource, from: Source): string {
  const columns = Array.from({ length: 1 + random.below(3) }, () => resultColumn(random, from));
  const distinct = random.below(12) === 0 ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${columns.join(', ')} FROM ${from.text}`;
}

function resultColumn(random: RandomSource, { columns }: Source): string {
  const chosen = random.below(6) === 0 ? expression(random, columns) : random.pick(columns);
  const alias = random.pick(['', '', '', ' AS s', ' AS name', ' AS id', ' "s"', ' AS [E]']);
  return chosen.endsWith('*') ? chosen : chosen + alias;
}

function expression(random: RandomSource, columns: string[]): string {
  const inner = () => random.pick(columns.filter((column) => !column.endsWith('*')));
  return random.pick([
    () => `${inner()} || ${inner()}`,
    () => `substr(${inner()}, 1, 1)`,
    () => `CASE WHEN ${inner()} > 'm' THEN 1 ELSE 0 END`,
    () => `count(${random.pick(['*', inner()])})`,
    () => `max(${inner()})`,
    () => '(SELECT email FROM users LIMIT 1)',
    () => `(SELECT ${inner()})`,
    () => `row_number() OVER (ORDER BY ${inner()})`,
    () => `json_array(${inner()})`,
    () => `${inner()} IN (SELECT email FROM users)`,
    () => `+${inner()}`,
    () => `${inner()} COLLATE NOCASE`,
  ])();
}

function tail(random: RandomSource, columns: string[]): string {
  const plain = columns.filter((column) => !column.endsWith('*'));
  const term = () =>
    random.pick([
      random.pick(plain),
      random.pick(plain),
      expression(random, plain),
      '1',
      '2',
      's',
      '(1)',
      "'s'",
    ]);
  const parts = [
    random.below(4) === 0
      ? ` WHERE ${term()} ${random.pick(["> 'm'", '= 1', 'IS NOT NULL', "LIKE 'a%'"])}`
      : '',
    random.below(10) === 0 ? ` GROUP BY ${term()}` : '',
    random.below(3) === 0 ? ` ORDER BY ${term()}${random.pick(['', ' DESC', ' COLLATE NOCASE'])}` : '',
    random.below(6) === 0 ? ` LIMIT ${random.pick(['1', '2', '1 OFFSET 1'])}` : '',
  ];
  return parts.join('');
}
