import { afterEach, expect, test, vi } from 'vitest';
import { sendFile } from './import-api.ts';

afterEach(() => vi.unstubAllGlobals());

test('a failed upload of a folder names the folder, and a failed upload of a file gives the error of fetch', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'k' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const file = new File(['a'], 'pets.csv');
  const folder = Object.assign(new File([], 'pets'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')) }),
  });
  const { signal } = new AbortController();
  await expect(sendFile(folder, signal)).rejects.toThrow('Could not read pets. Is it a folder?');
  await expect(sendFile(file, signal)).rejects.toThrow('Failed to fetch');
});
