import type { Effect } from '@trestle/driver-kit';
import type { ApprovalQuestion, QuestionWords } from '../types.ts';
import { budgetWords } from './budget-words.ts';

export function questionWords(question: ApprovalQuestion): QuestionWords {
  const wordsOf = words[question.kind] as (one: ApprovalQuestion) => QuestionWords;
  return wordsOf(question);
}

const words: {
  [Kind in ApprovalQuestion['kind']]: (question: ApprovalQuestion & { kind: Kind }) => QuestionWords;
} = {
  access: ({ clientName, connection, action, table, ceiling }) => ({
    title: `Let “${clientName}” use “${connection.name}”?`,
    may: mayWords[ceiling],
    wants: wishOf(action, table),
  }),
  destroy: ({ clientName, connection, summary, loss }) => ({
    title: `Let “${clientName}” destroy data in “${connection.name}”?`,
    may: 'It may run this statement once. A later statement needs your approval again.',
    wants: `${summary}. ${loss}`,
  }),
  budget: budgetWords,
  endpoint: ({ connection, table, endpoints, keys }) => {
    const places = [...new Set(endpoints.map(({ value }) => placeOf(value)))].join(', ');
    const which = keys.length === 1 ? 'a stored key' : 'stored keys';
    return {
      title: `Send ${which} of “${connection.name}” to ${places}?`,
      may: `The database may then send ${keys.join(', ')} to this address when a client uses ${table}. The owner of the address can read what is sent.`,
      wants: `Use ${table}, whose settings name ${places}`,
    };
  },
};

const mayWords: Record<Effect, string> = {
  read: 'It may read. It cannot change anything.',
  write: 'It may read, and add, change and delete rows. It cannot drop a table or collection.',
  destroy:
    'It may read, and add, change and delete rows. It must ask you before it drops a table or collection.',
};

/** The first thing that the client does if it gets access. */
function wishOf(action: string, table: string | null): string {
  const wish = wishes[action];
  if (!wish) return `${action}${table ? ` on ${table}` : ''}`;
  return table === null ? wish : `${wish} of ${table}`;
}

const wishes: Record<string, string> = {
  connect: 'Connect',
  disconnect: 'Close the connection',
  history: 'Read the query history',
  tables: 'List the tables',
  describe: 'Read the columns',
  describeAll: 'Read the schema',
  browse: 'Read rows',
  count: 'Count the rows',
  readCells: 'Read rows',
  partitions: 'List the tenants',
  search: 'Search the rows',
  editorSchema: 'Read the schema',
  previewChanges: 'Prepare changes to rows',
  applyChanges: 'Change rows',
  export: 'Export the rows',
  classify: 'Check a statement',
  query: 'Run a statement',
  destroy: 'Run a statement that destroys data',
};

/** The host of an address. Any other setting is shown as it is. */
function placeOf(value: string): string {
  return URL.canParse(value) ? new URL(value).host || value : value;
}
