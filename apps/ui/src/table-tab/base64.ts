/** Newer browsers have `toBase64` and `fromBase64`. For other browsers, this file has its own code. */
interface NativeBase64 {
  toBase64?(): string;
}

interface NativeBytes {
  fromBase64?(text: string): Uint8Array;
}

/**
 * Bytes as base64. A staged cell may contain megabytes, and one function call per byte would be slow. So each call of
 * `String.fromCharCode` gets up to 32 KB.
 */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as NativeBase64).toBase64?.();
  if (native !== undefined) return native;
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array {
  const native = (Uint8Array as NativeBytes).fromBase64?.(text);
  if (native) return native;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
