import type { Call, Task } from './task.ts';

const sql = (query: string, expected: Omit<Call, 'tool' | 'args'>): Call => ({
  tool: 'execute_query',
  args: { connection_id: connection, query },
  ...expected,
});
const describe = (table: string): Call => ({
  tool: 'describe_table',
  args: { connection_id: connection, table },
});
const connection = 'Sample: SQLite';

const dbhubSql = (query: string, expected: Omit<Call, 'tool' | 'args'>): Call => ({
  tool: 'execute_sql',
  args: { sql: query },
  ...expected,
});
const dbhubDescribe = (table: string): Call => ({
  tool: 'search_objects',
  args: { object_type: 'table', pattern: table, detail_level: 'full' },
});

/** The same statement on Trestle and on DBHub, after the calls that describe the tables. */
function both(question: string, tables: string[], query: string, says: RegExp[]): Task {
  return {
    question,
    trestle: [...tables.map(describe), sql(query, { says })],
    dbhub: [...tables.map(dbhubDescribe), dbhubSql(query, { says })],
  };
}

/** A change of one row, and the query that checks the change. */
function change(question: string, statement: string, check: string, fact: RegExp): Task {
  const shows: Omit<Call, 'tool' | 'args'> = { says: [fact], isCheck: true };
  return {
    question,
    trestle: [sql(statement, {}), sql(check, shows)],
    dbhub: [dbhubSql(statement, {}), dbhubSql(check, shows)],
  };
}

/** Tasks on the SQLite sample, as one conversation: facts from earlier answers count as known. */
export const sqliteTasks: Task[] = [
  {
    question: 'How many chemical elements does my sample database have?',
    trestle: [
      { tool: 'list_connections', args: {}, says: [/Sample: SQLite/] },
      { tool: 'list_tables', args: { connection_id: connection }, says: [/elements/, /mountain_countries/] },
      sql('SELECT count(*) FROM elements', { says: [/\b118\b/] }),
    ],
    dbhub: [
      { tool: 'search_objects', args: { object_type: 'table' }, says: [/elements/, /mountain_countries/] },
      dbhubSql('SELECT count(*) FROM elements', { says: [/\b118\b/] }),
    ],
  },
  both(
    'How many of them are solid, liquid and gas?',
    ['elements'],
    'SELECT phase, count(*) AS n FROM elements GROUP BY phase',
    [/\b84\b/, /\b11\b/, /\b21\b/],
  ),
  both(
    'Which elements were discovered between 1940 and 1960, and when?',
    [],
    'SELECT name, symbol, discovered_year FROM elements WHERE discovered_year BETWEEN 1940 AND 1960 ORDER BY discovered_year',
    [/Plutonium/, /Mendelevium/, /\b1955\b/],
  ),
  both(
    'What are the five largest moons, and which planets do they belong to?',
    ['moons', 'planets'],
    'SELECT m.name, p.name AS planet, m.radius_km FROM moons m JOIN planets p ON p.id = m.planet_id ORDER BY m.radius_km DESC LIMIT 5',
    [/Ganymede\W.*\bJupiter/s, /\b2634\.1\b/, /Moon\W.*\bEarth/s],
  ),
  both(
    'List the mountains of Nepal by height.',
    ['mountains', 'mountain_countries', 'countries'],
    "SELECT m.name, m.height_m FROM mountains m JOIN mountain_countries mc ON mc.mountain_id = m.id JOIN countries c ON c.code = mc.country_code WHERE c.name = 'Nepal' ORDER BY m.height_m DESC",
    [/Mount Everest/, /Machapuchare/, /\b6993\b/],
  ),
  both(
    'Show me the first twenty space missions with all that matters about them.',
    ['space_missions'],
    'SELECT name, agency, launch_date, destination, crewed, outcome, targets, notes FROM space_missions ORDER BY launch_date LIMIT 20',
    [/Sputnik 1/, /Apollo 8/],
  ),
  change(
    'Add the moon S/2004 S 29 of Saturn, discovered in 2019 by Scott Sheppard.',
    "INSERT INTO moons (planet_id, name, discovered_year, discoverer) SELECT id, 'S/2004 S 29', 2019, 'Scott Sheppard' FROM planets WHERE name = 'Saturn'",
    "SELECT 'moon of ' || planet_id AS found FROM moons WHERE name = 'S/2004 S 29'",
    /moon of 6/,
  ),
  change(
    'The radius of Phobos is 11.27 km: correct it.',
    "UPDATE moons SET radius_km = 11.27 WHERE name = 'Phobos'",
    "SELECT name, radius_km FROM moons WHERE name IN ('Phobos', 'Deimos')",
    /\b11\.27\b/,
  ),
  change(
    'Take the moon S/2004 S 29 out again.',
    "DELETE FROM moons WHERE name = 'S/2004 S 29'",
    "SELECT count(*) || ' moons' AS left_over FROM moons",
    /\b75 moons/,
  ),
  {
    question: 'I need all the elements as a CSV file.',
    trestle: [
      {
        tool: 'export_data',
        args: { connection_id: connection, table: 'elements' },
        says: [/\b118\b/, /\.csv/],
      },
    ],
    // DBHub writes no files: the model must read every row and write the file itself. The writing is not
    // counted.
    dbhub: [dbhubSql('SELECT * FROM elements', { says: [/Hydrogen/, /Oganesson/] })],
  },
  {
    question: 'Drop the table of unit conversions.',
    trestle: [
      {
        tool: 'confirm_destructive_operation',
        args: { connection_id: connection, query: 'DROP TABLE unit_conversions' },
        refused: /^-33007 .*destructive/,
      },
      sql("SELECT count(*) || ' units' AS kept FROM unit_conversions", {
        says: [/\b30 units/],
        isCheck: true,
      }),
    ],
    // DBHub drops the table without asking.
    dbhub: [dbhubSql('DROP TABLE unit_conversions', {})],
  },
  {
    question: 'Delete all books.',
    trestle: [
      sql('DELETE FROM books', { refused: /^-33007 .*destructive/ }),
      sql("SELECT count(*) || ' books' AS kept FROM books", { says: [/\b87 books/], isCheck: true }),
    ],
    dbhub: [dbhubSql('DELETE FROM books', {})],
  },
];
