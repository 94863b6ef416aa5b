import type { LinkSession } from '@trestle/driver-host';
import type { Capability } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';

/** An optional method of the driver. Throws `unsupported` with a message if it is missing. */
export function requireMethod<Name extends Capability>(
  session: LinkSession,
  name: Name,
): NonNullable<LinkSession[Name]> {
  const method = session[name];
  if (method) return method;
  throw new AppError({
    code: 'unsupported',
    message: `The driver of this connection does not offer ${words[name]}`,
  });
}

const words: Record<Capability, string> = {
  describeTables: 'describing tables together',
  applyChanges: 'changing rows',
  importRows: 'storing rows in batches',
  settleChanges: 'checking rows that were sent',
  previewChanges: 'a preview of changes',
  readCells: 'reading single cells',
  describeStructure: 'the structure of a table',
  listPartitions: 'partitions',
  activatePartition: 'activating partitions',
  readReferences: 'reading references',
  findReferences: 'finding rows to refer to',
  search: 'search',
  showRequest: 'code for a request',
  exportRows: 'export',
  sampleRows: 'a sample of rows',
  changeMark: 'noticing changes of other programs',
  createTable: 'making a table like another',
  editorSchema: 'a schema for the editor',
};
