import type { TableDescription } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import type { Data, DataAccess } from '../types.ts';

/**
 * A table with tenants needs the name of a tenant that is available now. Any other table accepts no tenant. `gives`
 * completes the message about a tenant that is not available, for example with "gives no rows".
 */
export async function assertPartition(
  data: Pick<Data, 'partitions'>,
  access: DataAccess,
  { table, partition, gives }: { table: TableDescription; partition: string | undefined; gives: string },
): Promise<void> {
  if (!table.partitioned) {
    if (partition === undefined) return;
    throw new AppError({
      code: 'invalid_argument',
      message: `${table.name} has no tenants`,
      hint: 'Choose no tenant. On the command line, leave --tenant out.',
    });
  }
  const hint = 'Choose one of its tenants. On the command line, name it with --tenant.';
  if (partition === undefined) {
    throw new AppError({ code: 'invalid_argument', message: `${table.name} is divided into tenants`, hint });
  }
  const found = (await data.partitions(access, table.name)).find(({ name }) => name === partition);
  if (!found)
    throw new AppError({ code: 'not_found', message: `${table.name} has no tenant "${partition}"`, hint });
  if (found.unavailable) {
    throw new AppError({
      code: 'unsupported',
      message: `The tenant ${partition} ${gives} now: ${found.unavailable}`,
    });
  }
}
