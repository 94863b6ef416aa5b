import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { token } from '../testing/fake-core.ts';
import { useTestServer } from '../testing/test-server.ts';

const t = useTestServer();

describe('authentication', () => {
  test('an expired token of the user has its own error code; missing, wrong and revoked tokens share one', async () => {
    t.fake.tokens.set('old', 'expired').set('gone', 'revoked');
    const answers = await Promise.all(
      ['', 'Bearer wrong', 'Bearer gone', 'Bearer old'].map((value) =>
        t.run({ query: 'x' }, { Authorization: value }),
      ),
    );
    expect(answers.map((answer) => [answer.status, answer.message.error?.code])).toEqual([
      [401, -33009],
      [401, -33009],
      [401, -33009],
      [401, -33008],
    ]);
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer realm="Trestle"');
  });

  test('an expired token that comes seven times within a minute is logged once', async () => {
    t.fake.tokens.set('old', 'expired');
    for (let i = 0; i < 7; i++) await t.run({ query: 'x' }, { Authorization: 'Bearer old' });
    expect(t.fake.activity).toMatchObject([
      { action: 'authenticate', outcome: 'denied', detail: 'expired token' },
    ]);
  });

  test('five wrong tokens lock out all tokens except the bridge token and tokens that worked before', async () => {
    expect((await t.run({ query: 'x' })).status).toBe(200);
    t.fake.tokens.set('new', token('token-2'));
    for (let i = 0; i < 7; i++) await t.run({ query: 'x' }, { Authorization: '' });
    for (let i = 0; i < 5; i++) {
      expect((await t.run({ query: 'x' }, { Authorization: `Bearer wrong-${i}` })).status).toBe(401);
    }
    const locked = await t.run({ query: 'x' }, { Authorization: 'Bearer new' });
    expect([locked.status, locked.message.error?.code]).toEqual([429, -33010]);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(290);
    expect((await t.run({ query: 'x' }, { Authorization: '' })).status).toBe(429);
    expect((await t.run({ query: 'x' })).status).toBe(200);
    const bridge = { Authorization: `Bearer ${t.handshake().token}` };
    expect((await t.run({ query: 'x' }, bridge)).status).toBe(200);
  });

  test('bridges that slept for days cause no lockout, and learn during a lockout that their token has expired', async () => {
    const old = { Authorization: `Bearer ${t.handshake().token}` };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 24 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (let i = 0; i < 7; i++) expect((await t.run({ query: 'x' }, old)).status).toBe(401);
    for (let i = 0; i < 5; i++) await t.run({ query: 'x' }, { Authorization: `Bearer wrong-${i}` });
    expect((await t.run({ query: 'x' }, { Authorization: 'Bearer wrong' })).status).toBe(429);
    expect((await t.run({ query: 'x' }, old)).status).toBe(401);
  });

  test('a caller is identified by its token, and behind the bridge also by its process', async () => {
    await t.run({ query: 'x' }, { 'Trestle-Bridge-Process': 'forged' });
    await t.run(
      { query: 'x' },
      { Authorization: `Bearer ${t.handshake().token}`, 'Trestle-Bridge-Process': 'p-1' },
    );
    expect(t.fake.callers).toEqual([
      {
        kind: 'client',
        token: { kind: 'user', id: 'token-1', name: 'token-1', permission: 'readWrite', allowlist: null },
        clientName: 'probe',
        process: null,
      },
      {
        kind: 'client',
        token: {
          kind: 'bridge',
          id: '__stdio_bridge__',
          name: '__stdio_bridge__',
          permission: 'readWrite',
          allowlist: null,
        },
        clientName: 'probe',
        process: 'p-1',
      },
    ]);
    expect(t.fake.activity.map(({ action, tokenName, outcome }) => [action, tokenName, outcome])).toEqual([
      ['authenticate', 'token-1', 'ok'],
      ['authenticate', '__stdio_bridge__', 'ok'],
    ]);
  });
});
