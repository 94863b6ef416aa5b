import { describe, expect, test } from 'vitest';
import { AnswerReader } from './answer-reader.ts';

const ok = 'HTTP/1.1 200 OK\r\n';
const text = 'Größe 表 🔑';
const length = Buffer.byteLength(text);

/** What an answer says when it comes in pieces of that many bytes. */
function read(answer: string, size = 1_000) {
  const found = {
    status: 0,
    type: undefined as string | undefined,
    text: '',
    isComplete: false,
    isLast: false,
  };
  const reader = new AnswerReader({
    onHead({ status, headers }) {
      found.status = status;
      found.type = headers.get('content-type');
    },
    onText(piece) {
      found.text += piece;
    },
  });
  const bytes = Buffer.from(answer);
  for (let start = 0; start < bytes.length; start += size) {
    expect(found.isComplete).toBe(false);
    found.isComplete = reader.push(bytes.subarray(start, start + size));
  }
  found.isLast = reader.isLast;
  return found;
}

describe.each([1, 2, 7, 1_000])('in pieces of %i bytes', (size) => {
  test('a body with a length', () => {
    const answer = `${ok}Content-Type:  application/json \r\nContent-Length: ${length}\r\n\r\n${text}`;
    expect(read(answer, size)).toEqual({
      status: 200,
      type: 'application/json',
      text,
      isComplete: true,
      isLast: false,
    });
  });

  test('a body in chunks, complete with the last of them', () => {
    const head = `${ok}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const chunks = `${length.toString(16)}\r\n${text}\r\n00A\r\n0123456789\r\n`;
    expect(read(head + chunks, size)).toMatchObject({ text: `${text}0123456789`, isComplete: false });
    expect(read(`${head + chunks}0\r\n\r\n`, size)).toMatchObject({
      text: `${text}0123456789`,
      isComplete: true,
      isLast: true,
    });
  });

  test('no body', () => {
    expect(read('HTTP/1.1 204 No Content\r\nA: b\r\n\r\n', size)).toMatchObject({
      status: 204,
      isComplete: true,
    });
    expect(read('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n', size)).toMatchObject({
      status: 202,
      isComplete: true,
    });
  });
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['an answer before the answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['no length', `${ok}\r\n`],
  ['a length that is none', `${ok}Content-Length: -1\r\n\r\n`],
  ['another encoding', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`],
  ['a header without a name', `${ok}: x\r\nContent-Length: 0\r\n\r\n`],
  ['a head without an end', ok + 'A: b\r\n'.repeat(4_000)],
  ['a chunk size that is none', `${ok}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
  ['a chunk size without an end', `${ok}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(100)}`],
  ['a chunk longer than it says', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`],
  ['trailers', `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n`],
  ['more than the answer', 'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n'],
])('%s is refused', (_, answer) => {
  expect(() => read(answer)).toThrow('not HTTP as Trestle speaks it');
});
