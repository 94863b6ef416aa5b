import type { PendingApproval } from '../shared/api-types.ts';
import { counted, firstNames } from '../shared/counted.ts';

type Access = PendingApproval & { kind: 'access' };
type Destroy = PendingApproval & { kind: 'destroy' };

export function titleOf(question: PendingApproval): string {
  const { clientName, connection } = question;
  return question.kind === 'access'
    ? `Let “${clientName}” use “${connection.name}”?`
    : `Let “${clientName}” destroy data in “${connection.name}”?`;
}

/** The first thing that the client does if it gets access. */
export function wishOf({ action, table }: Access): string {
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

/** Says how many rows of each table would be changed or deleted. A number may be unknown. */
export function lossOf({ tables, cascades }: Destroy): string {
  if (tables.length === 0) return 'No rows are changed or deleted.';
  const byTable = (some: Loss[]) => [...Map.groupBy(some, ({ table }) => table).values()];
  const known = byTable(tables.filter(({ rows }) => rows !== null)).flatMap((all) =>
    all.length > namedPartitions ? [knownLoss(all)] : all.map((one) => knownLoss([one])),
  );
  const unknown = byTable(tables.filter(({ rows }) => rows === null)).map(
    (all) => `an unknown number of rows of ${placeOf(all)}`,
  );
  const parts = [...known, ...unknown];
  const through = cascades ? ' Some of them are affected through a foreign key.' : '';
  return `Changed or deleted: ${parts.join(', ')}.${through}`;
}

type Loss = Destroy['tables'][number];

const namedPartitions = 5;

function knownLoss(all: Loss[]): string {
  const rows = all.reduce((sum, one) => sum + (one.rows ?? 0), 0);
  return `${counted(rows, 'row')} of ${placeOf(all)}`;
}

/** The table with its partitions. An entry without a partition means the whole table. */
function placeOf(all: Loss[]): string {
  const table = all[0]?.table ?? '';
  const names = all.flatMap(({ partition }) => partition ?? []);
  return names.length < all.length ? table : `${table} (${firstNames(names, namedPartitions)})`;
}

/**
 * Shows control, format, surrogate, private-use and unassigned characters by their code, except line breaks and tabs.
 * Many such characters are invisible, and some reverse the order of the text. The user must see exactly the text that
 * runs.
 */
export function exactText(text: string): string {
  const name = (sign: string) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return text.replace(/[^\P{C}\n\r\t]/gu, name);
}

/** The notice about a question that disappeared without an answer from this window. */
export function goneWords(question: PendingApproval, now: Date): { title: string; description: string } {
  const title = `“${question.clientName}” no longer asks about “${question.connection.name}”`;
  const isOver = Date.parse(question.expiresAt) <= now.getTime();
  return {
    title,
    description: isOver
      ? 'Nobody answered in time, so it was not allowed.'
      : 'The question was withdrawn, or it was answered in another window.',
  };
}
