import { AppError, isSigned, readRegistryFile, registryAddress } from '@trestle/core';
import { z } from 'zod';
import { type Channel, channelSchema, channelStatement } from './channel.ts';

const fileSchema = z.strictObject({
  payload: z.string(),
  signatures: z.array(z.strictObject({ key: z.string(), signature: z.string() })).max(4),
});

/** Reads the channel file next to the registry's index. One of the keys that this build pins must have signed it. */
export async function readChannel(
  { address, keys }: { address: string; keys: string[] },
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
