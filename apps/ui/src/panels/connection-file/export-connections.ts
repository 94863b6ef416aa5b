import { counted } from '../../controls/text/counted.ts';
import { api } from '../../data/api/api.ts';
import { showError, showToast } from '../../data/messages/toast.tsx';

/** Downloads the saved connections as a file, without samples and without secrets. */
export async function exportConnections(): Promise<void> {
  try {
    const file = await api.connections.exportFile.query();
    const count = file.connections.length;
    if (count === 0) {
      showToast({ title: 'There is nothing to export', description: 'Samples are left out.' });
      return;
    }
    save(`${JSON.stringify(file, null, 2)}\n`, 'trestle-connections.json');
    showToast({
      title: `Exported ${counted(count, 'connection')}`,
      description: 'Secrets are not in the file.',
    });
  } catch (error) {
    showError('The connections were not exported', error);
  }
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
