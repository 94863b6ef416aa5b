import { sizeText } from '@trestle/driver-kit';
import type { InstallStep } from '../types.ts';

export function installWords(
  step: InstallStep,
  { received, size, waitsFor }: { received: number; size: number; waitsFor: string[] },
): string {
  if (step === 'wait') {
    const names = waitsFor.map((name) => `“${name}”`);
    return `Waits until ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} closed`;
  }
  return step === 'download' ? `Downloading ${sizeText(received)} of ${sizeText(size)}` : stepWords[step];
}

const stepWords: Record<Exclude<InstallStep, 'wait' | 'download'>, string> = {
  read: 'Reading',
  integrity: 'Checking that the file is complete',
  signature: 'Checking who signed the driver',
  unpack: 'Unpacking',
  manifest: 'Reading the manifest',
  load: 'Trying the driver in its own process',
  install: 'Putting the driver in place',
};
