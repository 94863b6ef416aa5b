import { z } from 'zod';

/** A table in an answer: its cells are arrays parallel to the columns. */
export const rowsOutput = {
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z
    .array(z.array(z.unknown()))
    .describe('Cells in the order of the columns. Bytes are base64, integers too large for JSON are text'),
  truncated: z.boolean().describe('Whether rows were left out of this answer'),
};
