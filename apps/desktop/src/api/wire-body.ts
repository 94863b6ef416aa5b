import type { AppErrorDetails } from '@trestle/core';
import { unpackWire } from '@trestle/driver-kit';

/** Undefined if the bytes are not a packed value. */
export function unpackBody(body: ArrayBuffer): unknown {
  try {
    return unpackWire(new Uint8Array(body));
  } catch {
    return undefined;
  }
}

export function refuse(status: number, error: AppErrorDetails): Response {
  return Response.json({ error }, { status });
}
