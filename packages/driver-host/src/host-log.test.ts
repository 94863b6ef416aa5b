import { PassThrough } from 'node:stream';
import type { DriverLogEntry } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { HostLog } from './host-log.ts';
import { parseFromHost } from './protocol.ts';
import { redactor } from './redact.ts';

const secret = 'wv-secret-'.repeat(300);

function hostLog() {
  const entries: DriverLogEntry[] = [];
  return { entries, log: new HostLog((entry) => entries.push(entry), redactor([secret])) };
}

test.each([10, 100])(
  'a printed line that repeats a secret %i times is logged without any part of the secret',
  async (times) => {
    const { entries, log } = hostLog();
    const stream = new PassThrough();
    log.follow(stream, 'warn');
    for (let n = 0; n < times; n++) stream.write(secret);
    // With 100 repetitions, the log has cut the line inside a secret. The next text is appended at the cut.
    stream.write(`${secret}\n`);
    stream.end(secret.repeat(times));
    await expect.poll(() => entries.length).toBe(2);
    expect(JSON.stringify(entries)).not.toContain('secret');
  },
);

test.each([10, 100])('no part of a secret stays in an entry that repeats it %i times', (times) => {
  const { entries, log } = hostLog();
  const entry = { level: 'info', message: secret.repeat(times) };
  const message = parseFromHost({ type: 'log', entry });
  if (message.type === 'log') log.add(message.entry);
  expect(entries).toHaveLength(1);
  expect(JSON.stringify(entries)).not.toContain('secret');
});
