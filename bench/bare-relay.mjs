// The least that a bridge can do: each line of stdin is sent over HTTP, and each answer is written to stdout. The relay
// does not reconnect, verify the app, serve older clients or cancel calls.
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

const { RELAY_PORT: port, RELAY_PATH: path, RELAY_HEADERS: given } = process.env;
const agent = new Agent({ keepAlive: true });
const headers = JSON.parse(given);

createInterface({ input: process.stdin }).on('line', (line) => {
  const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.on('response', (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => (text += part));
    answer.on('end', () => process.stdout.write(`${text}\n`));
  });
  sent.end(line);
});
