import { create } from 'zustand';

/** A call that needs the administrator passphrase, until the user has typed it or cancelled. */
interface PassphraseRequest {
  reason: string;
  settle(isUnlocked: boolean): void;
}

export const usePassphraseRequest = create<{ request: PassphraseRequest | null }>(() => ({ request: null }));

/** Resolves with whether this window may continue. A second call that asks meanwhile is refused. */
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
