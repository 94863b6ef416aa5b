import { AppError, datesProblem, isSigned, readRegistryFile, registryAddress } from '@trestle/core';
import { z } from 'zod';
import { type Channel, channelSchema, channelStatement } from './channel.ts';
import type { SeenChannels } from './seen-channels.ts';

interface ChannelSource {
  address: string;
  keys: string[];
  seen: SeenChannels;
  now?: () => number;
}

const fileSchema = z.strictObject({
  payload: z.string(),
  signatures: z.array(z.strictObject({ key: z.string(), signature: z.string() })).max(4),
});

/**
 * Reads the channel file next to the registry's index. One of the keys that this build pins must have signed it, it
 * must not have expired, and it must not be older than the newest one that was read.
 */
export async function readChannel(
  { address, keys, seen, now = Date.now }: ChannelSource,
  signal: AbortSignal,
): Promise<Channel> {
  const bytes = await readRegistryFile(registryAddress(address), 'channel.json', {
    signal,
    maxBytes: 1_000_000,
  });
  const file = fileSchema.safeParse(jsonOf(bytes.toString('utf8')));
  if (!file.success) throw refused('The channel file is not valid');
  const { payload, signatures } = file.data;
  const statement = channelStatement(payload);
  const isTrusted = signatures.some(
    ({ key, signature }) => keys.includes(key) && isSigned(statement, key, signature),
  );
  if (!isTrusted) throw refused('The channel file is not signed by a key that this Trestle trusts');
  const channel = channelSchema.safeParse(jsonOf(payload));
  if (!channel.success) throw refused('The channel file has a format that this Trestle does not know');
  const { sequence } = channel.data;
  const newest = seen.get(address);
  if (sequence < newest) {
    throw new AppError({
      code: 'refused',
      message: `The channel file (${sequence}) is older than one read before (${newest})`,
      hint: 'An old copy may hide a security update. Try again later, or get Trestle again from where you got it.',
    });
  }
  const stale = datesProblem('The channel file', channel.data, now());
  if (stale) throw stale;
  seen.set(address, sequence);
  return channel.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(message: string): AppError {
  const hint = 'Nothing was downloaded. Get Trestle again from where you got it.';
  return new AppError({ code: 'refused', message, hint });
}
