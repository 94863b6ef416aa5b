import { getCACertificates, setDefaultCACertificates } from 'node:tls';

let isDone = false;

/**
 * Trusts the certificate authorities of this machine in addition to Node's own, for all later connections of this
 * process. Does the same as Node's `--use-system-ca`, but not before the first https: request to a registry: the
 * certificates take 3 MB.
 */
export function trustMachine(): void {
  if (isDone) return;
  isDone = true;
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
}
