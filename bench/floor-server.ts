import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Lines } from '../apps/bridge/src/lines.ts';

/**
 * The leanest way we know to serve a query over HTTP from a database in another process, lines of JSON on a pipe: no
 * protocol, no token, no policy, no log. The same file is both processes.
 */
const [file = '', role] = process.argv.slice(2);
if (role === 'database') answerQueries(new DatabaseSync(file, { readOnly: true }));
else serve();

function answerQueries(database: DatabaseSync): void {
  const app = new Socket({ fd: 3, readable: true, writable: true });
  const lines = new Lines((line) => {
    app.write(`${JSON.stringify(database.prepare(JSON.parse(line) as string).all())}\n`);
  });
  app.setEncoding('utf8').on('data', (chunk) => lines.push(String(chunk)));
  app.on('close', () => process.exit(0));
}

function serve(): void {
  const child = spawn(process.execPath, [import.meta.filename, file, 'database'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const database = child.stdio[3] as Socket;
  const waiting: ((line: string) => void)[] = [];
  const lines = new Lines((line) => waiting.shift()?.(line));
  database.setEncoding('utf8').on('data', (chunk) => lines.push(String(chunk)));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, query } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; query: string };
      waiting.push((line) => {
        const rows: unknown = JSON.parse(line);
        const content = [{ type: 'text', text: JSON.stringify(rows) }];
        const body = JSON.stringify({ id, result: { content, structuredContent: { rows } } });
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
      database.write(`${JSON.stringify(query)}\n`);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => {
    child.kill();
    process.exit(0);
  });
}
