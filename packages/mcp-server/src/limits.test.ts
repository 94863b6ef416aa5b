import { expect, test } from 'vitest';
import { type Admission, Limits } from './limits.ts';
import { token } from './testing/fake-core.ts';
import { useTestServer } from './testing/test-server.ts';

const refusal = async (admission: Admission) => {
  if (admission.ok) return null;
  const { error } = (await admission.response.json()) as { error: { code: number; message: string } };
  return {
    status: admission.response.status,
    retry: admission.response.headers.get('retry-after'),
    ...error,
  };
};

/** A client with its own token, so without a bridge process. */
const own = (key: string) => ({ key, token: key });

test('the number of requests per minute is limited, and the refusal says when to try again', async () => {
  let now = 1_000_000;
  const limits = new Limits(
    () => ({ requestsPerMinute: 3, concurrentRequests: 9 }),
    () => now,
  );
  for (let count = 0; count < 3; count++) {
    const admission = limits.admit(own('a'));
    if (admission.ok) admission.release();
    now += 10_000;
  }
  expect(await refusal(limits.admit(own('a')))).toEqual({
    status: 429,
    retry: '30',
    code: -33010,
    message: expect.stringContaining('3 requests a minute'),
  });
  expect(limits.admit(own('b')).ok).toBe(true);
  now += 30_001;
  expect(limits.admit(own('a')).ok).toBe(true);
  expect((await refusal(limits.admit(own('a'))))?.retry).toBe('10');
});

test('the number of concurrent requests is limited; a request that is released twice frees only one slot', async () => {
  const limits = new Limits(() => ({ requestsPerMinute: 1_000, concurrentRequests: 2 }));
  const first = limits.admit(own('a'));
  limits.admit(own('a'));
  expect(await refusal(limits.admit(own('a')))).toMatchObject({ status: 429, retry: '1', code: -33010 });
  expect(limits.admit(own('b')).ok).toBe(true);
  if (first.ok) {
    first.release();
    first.release();
  }
  expect(limits.admit(own('a')).ok).toBe(true);
  expect(limits.admit(own('a')).ok).toBe(false);
});

test('a subscription does not count as a running request, but has its own limit', async () => {
  const limits = new Limits(() => ({ requestsPerMinute: 1_000, concurrentRequests: 1 }));
  const request = limits.admit(own('a'));
  expect(limits.listen('a').ok).toBe(true);
  if (request.ok) request.release();
  expect(limits.admit(own('a')).ok).toBe(true);
  expect(await refusal(limits.listen('a'))).toMatchObject({
    status: 429,
    code: -33010,
    message: 'Rate limited: a client may send 1 subscriptions/listen requests at once. Wait 1 s.',
  });
});

const t = useTestServer();

test('over HTTP the seventeenth concurrent call of a token is refused, but a call with another token is not', async () => {
  const controller = new AbortController();
  const waiting = Array.from({ length: 16 }, () => t.startWaitingCall(controller.signal));
  // A slow call gets its response headers before it ends, so this waits until all 16 calls are running.
  await Promise.all(waiting);
  const refused = await t.run({ query: 'x' });
  expect([refused.status, refused.message.error?.code, refused.headers.get('retry-after')]).toEqual([
    429,
    -33010,
    '1',
  ]);
  expect((await t.run({ query: 'x' })).status).toBe(429);
  expect(t.fake.activity.filter(({ action }) => action === 'rate limit')).toMatchObject([
    { tokenName: 'token-1', outcome: 'denied', detail: expect.stringContaining('16 requests at once') },
  ]);
  t.fake.tokens.set('other', token('token-2'));
  expect((await t.run({ query: 'x' }, { Authorization: 'Bearer other' })).status).toBe(200);
  controller.abort();
  await expect.poll(async () => (await t.run({ query: 'x' })).status).toBe(200);
});

test('a new process name for each request does not bypass the limit of the token', () => {
  const limits = new Limits(() => ({ requestsPerMinute: 10, concurrentRequests: 1_000 }));
  const admitted = Array.from({ length: 500 }, (_, n) =>
    limits.admit({ key: `bridge/${n}`, token: 'bridge' }),
  );
  expect(admitted.filter(({ ok }) => ok)).toHaveLength(160);
  expect(admitted.at(-1)).toMatchObject({
    reason: 'Rate limited: all bridges together may send 160 requests a minute',
  });
  expect(limits.admit(own('other')).ok).toBe(true);
});

test('a request that exceeds the limit of its token does not count as a running request of its process', () => {
  const limits = new Limits(() => ({ requestsPerMinute: 10_000, concurrentRequests: 1 }));
  const held = Array.from({ length: 16 }, (_, n) => limits.admit({ key: `bridge/${n}`, token: 'bridge' }));
  const late = { key: 'bridge/late', token: 'bridge' };
  expect(limits.admit(late).ok).toBe(false);
  const [first] = held;
  if (first?.ok) first.release();
  expect(limits.admit(late).ok).toBe(true);
});

test('a request that exceeds the limit of its token does not count for the requests per minute of its process', () => {
  const limits = new Limits(() => ({ requestsPerMinute: 2, concurrentRequests: 1 }));
  const held = Array.from({ length: 16 }, (_, n) => limits.admit({ key: `bridge/${n}`, token: 'bridge' }));
  const late = { key: 'bridge/late', token: 'bridge' };
  for (let count = 0; count < 5; count++) expect(limits.admit(late).ok).toBe(false);
  for (const one of held) if (one.ok) one.release();
  expect(limits.admit(late).ok).toBe(true);
});
