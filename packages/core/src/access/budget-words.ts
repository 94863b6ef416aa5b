import { type Written, writtenInWords } from '@trestle/driver-kit';
import type { ApprovalQuestion, QuestionWords } from '../types.ts';
import { bridgeTokenName } from './decide-access.ts';

/** The words of the question for another hour's rows. */
export function budgetWords({
  clientName,
  connection,
  tokenName,
  ...rows
}: ApprovalQuestion & { kind: 'budget' }): QuestionWords {
  const { used, limit, wanted } = rows;
  const isBridge = tokenName === bridgeTokenName;
  const who = isBridge
    ? 'All clients that use trestle-mcp together have'
    : 'The clients with this token have';
  const [act, done] = isChange(rows)
    ? [
        `change or delete ${count(Math.max(limit.changed, wanted.changed), 'more row')} in`,
        `changed or deleted ${count(used.changed, 'row')} of`,
      ]
    : [
        `add ${count(Math.max(limit.inserted, wanted.inserted), 'more row')} to`,
        `added ${count(used.inserted, 'row')} to`,
      ];
  const again = `${limit.changed.toLocaleString('en')} changed or deleted, ${limit.inserted.toLocaleString('en')} new`;
  return {
    title: `Let “${clientName}” ${act} “${connection.name}”?`,
    may: `${who} ${done} this connection in the last hour. A yes allows the rows of an hour once more: ${again}.`,
    wants: `Write more: ${writtenInWords(wanted)}`,
  };
}

/** Whether the limit of changed rows is the one that the call would pass, or else that of new rows. */
export function isChange({ used, limit, wanted }: Record<'used' | 'limit' | 'wanted', Written>): boolean {
  return wanted.changed > 0 && used.changed + wanted.changed > limit.changed;
}

function count(rows: number, noun: string): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? noun : `${noun}s`}`;
}
