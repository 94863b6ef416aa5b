import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { connect, describeOnWeaviate } from './servers.ts';

const certificate = (name: string) => join(import.meta.dirname, 'certificates', name);
const caText = readFileSync(certificate('ca.pem'), 'utf8');

const modes = [
  'disabled',
  'preferred',
  'required',
  'requiredSkipVerify',
  'verifyCa',
  'verifyIdentity',
] as const;
const kinds = ['plain', 'self-signed', 'own-ca', 'wrong-host'] as const;

/** The kinds of server that each mode can open. The two Verify modes get the CA file. */
const opens: Record<(typeof modes)[number], readonly string[]> = {
  disabled: ['plain'],
  preferred: ['self-signed', 'own-ca', 'wrong-host'],
  required: [],
  requiredSkipVerify: ['self-signed', 'own-ca', 'wrong-host'],
  verifyCa: ['own-ca', 'wrong-host'],
  verifyIdentity: ['own-ca'],
};

/** The message of a refusal for each kind of server. Mode `disabled` has its own message. */
const words: Record<(typeof kinds)[number], RegExp> = {
  plain: /does not speak TLS/,
  'self-signed': /not signed by (a trusted authority|an authority in CA File)/,
  'own-ca': /not signed by a trusted authority/,
  'wrong-host': /another host|not signed by a trusted authority/,
};

describeOnWeaviate('TLS', ({ binary, port }) => {
  const servers: Partial<Record<(typeof kinds)[number], WeaviateServer>> = {};
  const portOf = (kind: (typeof kinds)[number]) => servers[kind]?.port ?? port;

  beforeAll(async () => {
    const starts = kinds.slice(1).map(async (kind) => {
      const tls = { certificate: certificate(`${kind}.pem`), key: certificate(`${kind}-key.pem`) };
      servers[kind] = await startWeaviate({ binary, tls });
    });
    await Promise.all(starts);
  });

  afterAll(async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  });

  async function outcome(
    kind: (typeof kinds)[number],
    fields: Record<string, string | boolean>,
  ): Promise<string> {
    try {
      const session = await connect(portOf(kind), fields);
      await session.close();
      return 'open';
    } catch (error) {
      return (error as Error).message;
    }
  }

  const cases = modes.flatMap((mode) =>
    kinds.map((kind) => ({ mode, kind, isOpen: opens[mode].includes(kind) })),
  );

  test.each(cases)('$mode × $kind: open $isOpen', async ({ mode, kind, isOpen }) => {
    const said = await outcome(kind, { sslMode: mode, caFile: mode.startsWith('verify') ? caText : '' });
    if (isOpen) expect(said).toBe('open');
    else if (mode === 'disabled') expect(said).toMatch(/^Connection failed: .*(HTTPS|closed the connection)/);
    else {
      expect(said).toMatch(/^Connection failed: /);
      expect(said).toMatch(words[kind]);
    }
  });

  test.each(modes.slice(1))('Skip TLS Verification overrides %s', async (mode) => {
    for (const kind of kinds.slice(1)) {
      expect(await outcome(kind, { sslMode: mode, skipTlsVerification: true })).toBe('open');
    }
    // Trusting any certificate does not allow plain HTTP.
    expect(await outcome('plain', { sslMode: mode, skipTlsVerification: true })).toMatch(
      /does not speak TLS/,
    );
  });

  describe('with the CA trusted by default', () => {
    const before = getCACertificates('default');
    beforeAll(() => setDefaultCACertificates([...before, caText]));
    afterAll(() => setDefaultCACertificates(before));

    test.each(['required', 'verifyIdentity'])('%s opens only the right host', async (sslMode) => {
      expect(await outcome('own-ca', { sslMode })).toBe('open');
      expect(await outcome('wrong-host', { sslMode })).toMatch(/another host/);
      expect(await outcome('self-signed', { sslMode })).toMatch(/not signed/);
    });
  });

  test('Verify CA without a CA file fails, and the message asks for the file', async () => {
    expect(await outcome('own-ca', { sslMode: 'verifyCa' })).toBe('Verify CA needs a CA file');
  });
});
