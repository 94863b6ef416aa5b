import { connectionAddress } from '@trestle/driver-kit';
import { askCore } from './ask-core.ts';
import { printJson, printTable } from './output.ts';
import { asTyped } from './own-command.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle connections list [--json]

Lists the saved connections.`;

export async function list({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, { json: { type: 'boolean' } });
  if (!parsed) return 0;
  const connections = await askCore(dist, 'connections.list');
  if (parsed.values.json) {
    printJson(connections);
    return 0;
  }
  if (connections.length === 0) {
    console.log(asTyped('There are no connections. `trestle connections add --help` says how to save one.'));
    return 0;
  }
  const drivers = new Map((await askCore(dist, 'drivers.list')).map((driver) => [driver.id, driver]));
  printTable(
    ['name', 'driver', 'address', 'external clients', 'AI policy', 'id'],
    connections.map((connection) => {
      const driver = drivers.get(connection.driver);
      const address = driver ? connectionAddress(driver, connection.fields) : '';
      const { name, externalClients, aiPolicy, id } = connection;
      return [name, connection.driver, address, externalClients, aiPolicy, id];
    }),
  );
  return 0;
}
