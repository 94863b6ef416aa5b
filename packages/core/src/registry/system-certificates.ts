let isTrusted = false;

/**
 * Trusts the authorities of the operating system too, as companies with a registry of their own need. Node's
 * `--use-system-ca` does the same at the start and takes 4 MB, in an app that may never speak to a registry.
 */
export async function trustSystemCertificates(): Promise<void> {
  if (isTrusted) return;
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls');
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  isTrusted = true;
}
