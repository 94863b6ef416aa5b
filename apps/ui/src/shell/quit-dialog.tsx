import { api } from '../data/api/api.ts';
import { AlertDialog } from '../data/messages/alert-dialog.tsx';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';

export default function QuitDialog() {
  const open = useDialogs(({ quit }) => quit);
  const close = () => dialogs.askToQuit(false);
  return (
    <AlertDialog
      open={open}
      title="Quit Trestle?"
      confirm="Quit Trestle"
      danger
      onConfirm={async () => {
        await api.app.quit.mutate();
        close();
      }}
      onCancel={close}
    >
      Trestle’s window closes, and pages in other browsers lose their connection. Running queries, saves,
      imports, exports and copies end. Tabs and unsaved changes are kept. An AI client may start Trestle again
      with its next call.
    </AlertDialog>
  );
}
