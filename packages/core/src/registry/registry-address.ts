import { AppError } from '../errors.ts';

/** A registry's folder as a URL that ends with a slash. Accepts only https:, file:, and http: on loopback. */
export function registryAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw badAddress(`"${text}" is not an address`);
  }
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  const isAllowed = url.protocol === 'https:' || url.protocol === 'file:';
  if (!isAllowed && !(url.protocol === 'http:' && isLoopback)) {
    throw badAddress(`${url.protocol}//${url.host} is not allowed as a registry`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw badAddress('A registry address must not contain a user name, password, query or fragment');
  }
  // Without the slash, a relative name would replace the last part of the path.
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function badAddress(message: string): AppError {
  return new AppError({
    code: 'invalid_argument',
    message,
    hint: 'Use an https: or file: address, or http: on this machine.',
  });
}
