import { create } from 'zustand';

/** An act that wants the administrator passphrase, until the person has typed it or given up. */
interface PassphraseRequest {
  reason: string;
  settle(isUnlocked: boolean): void;
}

export const usePassphraseRequest = create<{ request: PassphraseRequest | null }>(() => ({ request: null }));

/** Resolves with whether this window may now do it. A second act that asks meanwhile is refused. */
export function askPassphrase(reason: string): Promise<boolean> {
  if (usePassphraseRequest.getState().request) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isUnlocked: boolean) => {
      usePassphraseRequest.setState({ request: null });
      resolve(isUnlocked);
    };
    usePassphraseRequest.setState({ request: { reason, settle } });
  });
}
