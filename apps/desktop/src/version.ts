import { packagedVersion } from '@trestle/handshake';
import manifest from '../package.json' with { type: 'json' };

export const version: string = packagedVersion(import.meta.dirname) ?? manifest.version;
