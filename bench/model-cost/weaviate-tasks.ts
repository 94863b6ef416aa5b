import type { Call, Task } from './task.ts';

const connection = 'Sample: Weaviate';
const call = (tool: string, args: object, expected: Omit<Call, 'tool' | 'args'> = {}): Call => ({
  tool,
  args: { connection_id: connection, ...args },
  ...expected,
});
const check = (query: string, fact: RegExp): Call =>
  call('execute_query', { query }, { says: [fact], isCheck: true });
const countOf = (objects: string) => `{ Aggregate { ${objects} { meta { count } } } }`;
const describe = (table: string): Call => call('describe_table', { table });

/** Tasks on the Weaviate sample, as one conversation: facts from earlier answers count as known. */
export const weaviateTasks: Task[] = [
  {
    question: 'How many animals are in my vector database?',
    trestle: [
      { tool: 'list_connections', args: {}, says: [/Sample: Weaviate/] },
      call('list_tables', {}, { says: [/Species/, /MuseumNote/] }),
      call('browse_table', { table: 'Species', count_only: true }, { says: [/\b149 rows/] }),
    ],
  },
  {
    question: 'How did the space missions end? Count them by outcome.',
    trestle: [
      describe('Mission'),
      call(
        'execute_query',
        { query: '{ Aggregate { Mission(groupBy: ["outcome"]) { groupedBy { value } meta { count } } } }' },
        { says: [/\b153\b/, /under way/] },
      ),
    ],
  },
  {
    question: 'Which crewed missions were launched in 1969?',
    trestle: [
      call(
        'browse_table',
        {
          table: 'Mission',
          columns: ['name', 'launched', 'crewSize'],
          filters: [
            { column: 'crewed', operator: 'equals', value: true },
            {
              column: 'launched',
              operator: 'between',
              value: ['1969-01-01', '1969-12-31'],
            },
          ],
        },
        { says: [/Apollo 9\b/, /Apollo 12\b/] },
      ),
    ],
  },
  {
    question: 'Which mission did Vostok 2 build on?',
    trestle: [
      call(
        'execute_query',
        {
          query:
            '{ Get { Mission(where: {path: ["name"], operator: Equal, valueText: "Vostok 2"}) { buildsOn { ... on Mission { name } } } } }',
        },
        { says: [/Vostok 1\b/] },
      ),
    ],
  },
  {
    question: 'Find five animals that live in hot, dry places.',
    trestle: [
      describe('Species'),
      call(
        'vector_search',
        {
          table: 'Species',
          mode: 'near_text',
          text: 'hot, dry places',
          target_vector: 'habitat',
          columns: ['commonName', 'habitat'],
          limit: 5,
        },
        { says: [/desert/i] },
      ),
    ],
  },
  {
    question: 'Which five inventions are most like the telephone?',
    trestle: [
      describe('Invention'),
      call(
        'vector_search',
        {
          table: 'Invention',
          mode: 'near_object',
          object_id: 'Telephone',
          object_column: 'name',
          columns: ['name', 'description'],
          limit: 5,
        },
        { says: [/telegraph/i] },
      ),
    ],
  },
  {
    question: 'Are there finished missions that brought something back from a comet or an asteroid?',
    trestle: [
      call(
        'vector_search',
        {
          table: 'Mission',
          mode: 'hybrid',
          text: 'brought back samples from a comet or asteroid',
          filters: [{ column: 'outcome', operator: 'equals', value: 'success' }],
          columns: ['name', 'description'],
          limit: 5,
        },
        { says: [/Hayabusa|Stardust|OSIRIS/] },
      ),
    ],
  },
  {
    question: 'What does the Louvre have by Leonardo?',
    trestle: [
      describe('MuseumNote'),
      call(
        'browse_table',
        {
          table: 'MuseumNote',
          tenant: 'louvre',
          columns: ['title', 'artist', 'note'],
          filters: [{ column: 'artist', operator: 'equals', value: 'Leonardo da Vinci' }],
        },
        { says: [/Mona Lisa/, /Ferronnière/] },
      ),
    ],
  },
  {
    question: 'Add the invention of the paper clip (Norway, 1899), and then take it out again.',
    trestle: [
      call('insert_rows', {
        table: 'Invention',
        rows: [
          {
            name: 'Paper clip',
            description: 'A bent wire that holds sheets together.',
            year: 1899,
            country: 'Norway',
          },
        ],
      }),
      check(countOf('Invention'), /"count": ?162\b/),
      {
        tool: 'delete_rows',
        args: ([added = '']) => ({
          connection_id: connection,
          table: 'Invention',
          keys: [{ uuid: uuidIn(added) }],
        }),
      },
      check(countOf('Invention'), /"count": ?161\b/),
    ],
  },
  {
    question: 'Hera has arrived: set its outcome to success.',
    trestle: [
      call(
        'browse_table',
        {
          table: 'Mission',
          columns: ['name', 'outcome'],
          filters: [{ column: 'name', operator: 'equals', value: 'Hera' }],
        },
        { says: [/under way/] },
      ),
      {
        tool: 'update_rows',
        args: ([found = '']) => ({
          connection_id: connection,
          table: 'Mission',
          changes: [{ key: { uuid: uuidIn(found) }, values: { outcome: 'success' } }],
        }),
      },
      check(
        countOf('Mission(where: {path: ["outcome"], operator: Equal, valueText: "success"})'),
        /"count": ?154\b/,
      ),
    ],
  },
  {
    question: 'Give me all the birds as a JSON file.',
    trestle: [
      call(
        'export_data',
        {
          table: 'Species',
          format: 'json',
          filters: [{ column: 'group', operator: 'equals', value: 'bird' }],
        },
        { says: [/\b27\b/, /\.json/] },
      ),
    ],
  },
  {
    question: 'Delete the collection of inventions.',
    trestle: [
      call(
        'confirm_destructive_operation',
        { query: 'DELETE /schema/Invention' },
        { refused: /^-33007 .*destructive/ },
      ),
      check(countOf('Invention'), /"count": ?161\b/),
    ],
  },
];

function uuidIn(answer: string): string {
  const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
  const [found] = answer.match(uuid)?.slice(-1) ?? [];
  if (found === undefined) throw new Error(`No uuid in: ${answer}`);
  return found;
}
