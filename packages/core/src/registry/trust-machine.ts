import { getCACertificates, setDefaultCACertificates } from 'node:tls';

let isDone = false;

/**
 * Trusts the certificate authorities of this machine in addition to Node's own, for all later connections of this
 * process. Has the effect of Node's `--use-system-ca`. The app calls it only when it sends an https: request to a
 * registry, because the certificates take 3 MB.
 */
export function trustMachine(): void {
  if (isDone) return;
  isDone = true;
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
}
