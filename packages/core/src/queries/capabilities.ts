import type { LinkSession } from '@trestle/driver-host';
import type { Capability } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { type OwnText, own } from '../own-text.ts';

/** An optional method of the driver. Throws `unsupported` with a message if it is missing. */
export function requireMethod<Name extends Capability>(
  session: LinkSession,
  name: Name,
): NonNullable<LinkSession[Name]> {
  const method = session[name];
  if (method) return method;
  throw new AppError({
    code: 'unsupported',
    message: own`The driver of this connection does not offer ${words[name]}`,
  });
}

const words: Record<Capability, OwnText> = {
  describeTables: own`describing tables together`,
  applyChanges: own`changing rows`,
  importRows: own`storing rows in batches`,
  settleChanges: own`checking rows that were sent`,
  previewChanges: own`a preview of changes`,
  readCells: own`reading single cells`,
  describeStructure: own`the structure of a table`,
  listPartitions: own`partitions`,
  activatePartition: own`activating partitions`,
  readReferences: own`reading references`,
  findReferences: own`finding rows to refer to`,
  search: own`search`,
  showRequest: own`code for a request`,
  convertStatement: own`converting statements`,
  exportRows: own`export`,
  sampleRows: own`a sample of rows`,
  changeMark: own`noticing changes of other programs`,
  aggregate: own`counting and grouping`,
  designForm: own`designing tables`,
  readDesign: own`designing tables`,
  planDesign: own`designing tables`,
  nextStep: own`acts on the server`,
  createTable: own`making a table like another`,
  editorSchema: own`a schema for the editor`,
};
