import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexStatement } from '@trestle/driver-kit/registry';
import { channelSchema, channelStatement } from '../../apps/desktop/src/update/channel.ts';
import { buildRegistry, readIndex } from '../../registry/src/build-registry.ts';
import { publicKeyOf, signatureOf } from '../../registry/src/keys.ts';
import { expiring, signChannel } from './channel.ts';

interface SignedFile {
  payload: string;
  signatures: { key: string; signature: string }[];
}

/**
 * Signs the index and the channel file of a published registry again, with new dates and higher sequence numbers and
 * otherwise unchanged. Returns when they expire. The folder may come from a web server, so each file must have a
 * signature of one of `signers`.
 */
export async function signAgain(
  folder: string,
  signers: [KeyObject, ...KeyObject[]],
  now = new Date(),
): Promise<string> {
  const [indexFile, channelFile] = [join(folder, 'index.json'), join(folder, 'channel.json')];
  const index = readIndex(indexFile);
  if (!index) throw new Error(`There is no index.json in ${folder}`);
  assertOurs(indexFile, signers, indexStatement);
  const channel = existsSync(channelFile)
    ? channelSchema.parse(JSON.parse(assertOurs(channelFile, signers, channelStatement)))
    : null;
  const after = (sequence: number) => Math.max(now.getTime(), sequence + 1);
  const { name, keys, plugins } = index;
  await buildRegistry({
    folder,
    name,
    packages: [],
    publisher: { name: plugins[0]?.publisher.name ?? name, key: signers[0] },
    signers,
    nextKeys: keys,
    sequence: after(index.sequence),
    signedAt: now,
  });
  const dates = expiring(now);
  if (channel) {
    signChannel(channelFile, { ...channel, sequence: after(channel.sequence), ...dates }, signers);
  }
  return dates.expiresAt;
}

/** Ed25519 signs the same text always alike, so a signature is valid if it is made again. Returns the signed text. */
function assertOurs(
  file: string,
  signers: KeyObject[],
  statementOf: (payload: string) => Uint8Array,
): string {
  const { payload, signatures } = JSON.parse(readFileSync(file, 'utf8')) as SignedFile;
  const statement = statementOf(payload);
  const isOurs = signers.some((signer) =>
    signatures.some(
      ({ key, signature }) => key === publicKeyOf(signer) && signature === signatureOf(signer, statement),
    ),
  );
  if (!isOurs)
    throw new Error(`${file} is not signed by the release key, or was changed after it was signed`);
  return payload;
}
