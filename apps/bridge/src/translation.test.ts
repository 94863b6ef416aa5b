import { describe, expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';
import { assertShortHeaders, headerText, protocolHeaders } from './headers.ts';
import { launcher } from './launch.ts';
import { antiquate, initializeResult, modernize } from './legacy-client.ts';
import { Lines } from './lines.ts';
import { claimedVersion, type RpcRequest } from './messages.ts';

/** The parts that the parser finds when the text arrives in chunks of `size` characters. */
function fed(
  make: (take: (text: string) => void) => { push(chunk: string): void },
  text: string,
  size: number,
) {
  const found: string[] = [];
  const sink = make((one) => found.push(one));
  for (let start = 0; start < text.length; start += size) sink.push(text.slice(start, start + size));
  return found;
}

const request = (method: string, params: RpcRequest['params'] = {}): RpcRequest => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

describe('framing', () => {
  test.each([1, 3, 1000])(
    'lines in chunks of %i characters arrive whole, and U+2028 does not end a line',
    (size) => {
      const found = fed((take) => new Lines(take), '{"a":"\u2028"}\r\n\n{"b":2}\nrest', size);
      expect(found).toEqual(['{"a":"\u2028"}', '{"b":2}']);
    },
  );

  test.each([1, 5, 1000])('events in chunks of %i characters arrive whole, without comments', (size) => {
    const body = ': keepalive\n\nevent: message\ndata: {"a":1}\n\nid: 3\r\ndata:x\r\ndata: y\r\n\r\n';
    expect(fed((take) => new EventStream(take), body, size)).toEqual(['{"a":1}', 'x\ny']);
  });
});

describe('headers', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

  test('repeat the method, the name or URI, and the version of the body', () => {
    expect(protocolHeaders(request('tools/call', { name: 'list_tables', _meta }))).toEqual({
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'list_tables',
      'MCP-Protocol-Version': '2026-07-28',
    });
    expect(protocolHeaders(request('resources/read', { uri: 'trestle://connections', _meta }))).toMatchObject(
      {
        'Mcp-Name': 'trestle://connections',
      },
    );
    expect(protocolHeaders(request('tools/list', { name: 'x', _meta }))).not.toHaveProperty('Mcp-Name');
  });

  test('of more than 8 KB are refused by the bridge', () => {
    const read = (length: number) => () =>
      assertShortHeaders(request('resources/read', { uri: 'x'.repeat(length), _meta }));
    expect(read(8_000)).not.toThrow();
    expect(read(9_000)).toThrowError(expect.objectContaining({ code: -32602, layer: 'bridge' }));
  });

  test('encode a text as base64 if a header cannot carry it, or if it looks encoded', () => {
    expect(headerText('plain name')).toBe('plain name');
    for (const text of ['naïve', ' padded ', 'a\r\nX-Evil: 1', '', '=?base64?eA==?=']) {
      const encoded = headerText(text);
      expect(encoded).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/);
      expect(Buffer.from(encoded.slice(9, -2), 'base64').toString()).toBe(text);
    }
  });
});

describe('an older client', () => {
  const client = {
    info: { name: 'old', version: '1' },
    version: '2025-06-18',
    capabilities: { elicitation: {} },
  };

  test('has its requests translated to 2026-07-28 for the app, and their own fields are kept', () => {
    const sent = modernize(request('tools/call', { name: 'x', _meta: { progressToken: 7 } }), client);
    expect(claimedVersion(sent)).toBe('2026-07-28');
    expect(sent.params).toEqual({
      name: 'x',
      _meta: {
        progressToken: 7,
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': client.info,
        'io.modelcontextprotocol/clientCapabilities': client.capabilities,
        'trestle/spokenVersion': '2025-06-18',
      },
    });
  });

  test('gets answers without the fields that 2026-07-28 added', () => {
    const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'trestle' } };
    const result = { resultType: 'complete', ttlMs: 1, cacheScope: 'private', tools: [], _meta: meta };
    expect(antiquate({ jsonrpc: '2.0', id: 1, result })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [] },
    });
    const kept = { ...result, _meta: { ...meta, own: 1 } };
    expect(antiquate({ jsonrpc: '2.0', id: 1, result: kept }).result).toEqual({
      tools: [],
      _meta: { own: 1 },
    });
    const error = { code: -33007, message: 'Forbidden' };
    expect(antiquate({ jsonrpc: '2.0', id: 1, error })).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  test('that asks for an unknown version gets the newest legacy version', () => {
    const answer = initializeResult(request('initialize', { protocolVersion: '1999-01-01' }), {
      capabilities: {},
    });
    expect(answer.protocolVersion).toBe('2025-11-25');
  });
});

test('the launcher beside the bridge starts the app, but on Windows the Node of the bridge starts it', () => {
  expect(launcher('/opt/trestle/dist', 'linux')).toEqual({
    command: '/opt/trestle/bin/trestle',
    args: ['start', '--no-window'],
    file: '/opt/trestle/bin/trestle',
  });
  expect(launcher('/opt/trestle/dist', 'win32')).toEqual({
    command: process.execPath,
    args: [
      '--disable-sigusr1',
      '--max-semi-space-size=2',
      '/opt/trestle/dist/trestle.js',
      'start',
      '--no-window',
    ],
    file: '/opt/trestle/dist/trestle.js',
  });
});
