export { dataDirectory } from './data-directory.ts';
export { handshakePath, removeHandshake, writeHandshake } from './file.ts';
export { type DisabledHandshake, type Handshake, parseHandshake, type RunningHandshake } from './format.ts';
export { packagedVersion } from './packaged-version.ts';
export { createChallenge, isChallenge, prove, verifyProof } from './proof.ts';
export {
  bridgeProcessHeader,
  challengeHeader,
  mcpPath,
  modernProtocolVersion,
  proofHeader,
  proofPath,
  protocolVersions,
  spokenVersionKey,
} from './protocol.ts';
export { type Distrust, type HandshakeReading, readHandshake } from './trust.ts';
