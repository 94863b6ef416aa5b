import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

/**
 * A plain way to serve a query over HTTP from a database in another process: no protocol, no token, no policy, no log.
 * The same file is both processes.
 */
const [file = '', role] = process.argv.slice(2);
if (role === 'database') answerQueries(new DatabaseSync(file, { readOnly: true }));
else serve();

function answerQueries(database: DatabaseSync): void {
  process.on('message', (query: string) => process.send?.(database.prepare(query).all()));
  process.on('disconnect', () => process.exit(0));
}

function serve(): void {
  const child = fork(import.meta.filename, [file, 'database'], { serialization: 'advanced' });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, query } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; query: string };
      child.once('message', (rows) => {
        const body = JSON.stringify({ id, result: { rows } });
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
      child.send(query);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
