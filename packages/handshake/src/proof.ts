import { crypto } from './builtins.ts';
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
    .update(`trestle-proof-1\n${challenge}\n${subject.port}\n${subject.instanceId}`)
    .digest('base64url');
}

export function verifyProof(subject: ProofSubject, challenge: string, proof: string | undefined): boolean {
  const expected = Buffer.from(prove(subject, challenge));
  const given = Buffer.from(proof ?? '');
  return expected.length === given.length && crypto().timingSafeEqual(expected, given);
}

/** Loads what checks a proof, in the time that the other side takes to make it. */
export function prepareToVerify(): void {
  crypto();
}
