import { create } from 'zustand';

/** A call that needs the administrator passphrase, until the user has typed it or cancelled. */
interface PassphraseRequest {
  reason: string;
  settle(isUnlocked: boolean): void;
}

export const usePassphraseRequest = create<{ request: PassphraseRequest | null }>(() => ({ request: null }));

/** True if the app accepts the passphrase. False if the user cancels, or if another request is already open. */
export function askPassphrase(reason: string): Promise<boolean> {
  if (usePassphraseRequest.getState().request) return Promise.resolve(false);
  return new Promise((resolve) => {
    const request: PassphraseRequest = {
      reason,
      settle(isUnlocked) {
        // The answer to a cancelled request may arrive during the next request, which must stay open.
        if (usePassphraseRequest.getState().request === request)
          usePassphraseRequest.setState({ request: null });
        resolve(isUnlocked);
      },
    };
    usePassphraseRequest.setState({ request });
  });
}
