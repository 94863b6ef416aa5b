import { expect, test } from 'vitest';
import { hostReach } from './reach.ts';

test('the driver host may read the certificates that the environment names, also in a path with a colon', async () => {
  const environment = { NODE_EXTRA_CA_CERTS: '/data/a:b/ca.pem', SSL_CERT_DIR: '/certs:/more' };
  const { read } = await hostReach({ own: [], files: [], folders: [], sqlite: false, environment });
  expect(read).toEqual(expect.arrayContaining(['/data/a:b/ca.pem', '/certs', '/more']));
});
