import { crypto } from './builtins.ts';
import { hmacSha256 } from './hmac.ts';
import { randomBytes } from './random.ts';

/** What a proof is bound to: the same answer is worth nothing on another port or for another start. */
export interface ProofSubject {
  secret: string;
  port: number;
  instanceId: string;
}

export function createChallenge(): string {
  return randomBytes(32).toString('base64url');
}

export function isChallenge(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** The answer that only a holder of the handshake's secret can give. */
export function prove(subject: ProofSubject, challenge: string): string {
  return crypto()
    .createHmac('sha256', subject.secret)
    .update(proofText(subject, challenge))
    .digest('base64url');
}

/** One guess for each challenge: how long a comparison takes tells nothing about the next one. */
export function verifyProof(subject: ProofSubject, challenge: string, proof: string | undefined): boolean {
  return proof === hmacSha256(subject.secret, proofText(subject, challenge)).toString('base64url');
}

function proofText({ port, instanceId }: ProofSubject, challenge: string): string {
  return `trestle-proof-1\n${challenge}\n${port}\n${instanceId}`;
}
