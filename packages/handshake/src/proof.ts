import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The values that a proof covers. A proof is invalid on another port, or for another start of the server. */
interface ProofSubject {
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

/** The answer to a challenge. Only a holder of the handshake's secret can compute it. */
export function prove(subject: ProofSubject, challenge: string): string {
  return createHmac('sha256', subject.secret).update(proofText(subject, challenge)).digest('base64url');
}

export function verifyProof(subject: ProofSubject, challenge: string, proof = ''): boolean {
  const expected = Buffer.from(prove(subject, challenge));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofText({ port, instanceId }: ProofSubject, challenge: string): string {
  return `trestle-proof-1\n${challenge}\n${port}\n${instanceId}`;
}
