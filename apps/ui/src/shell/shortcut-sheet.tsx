import { Dialog } from '../controls/dialogs/dialog.tsx';
import { Kbd } from '../controls/keys/kbd.tsx';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';
import styles from './shortcut-sheet.module.css';

const groups: { title: string; keys: [keys: string, does: string][] }[] = [
  {
    title: 'Window',
    keys: [
      ['Mod+P', 'Open anything'],
      ['Mod+B', 'Sidebar'],
      ['Mod+,', 'Settings'],
      ['Mod+/', 'This list'],
      ['Alt+N', 'New query'],
      ['Alt+W', 'Close the tab'],
      ['Alt+Shift+T', 'Reopen the closed tab'],
      ['Alt+PageDown', 'Next tab'],
      ['Alt+PageUp', 'Previous tab'],
      ['Alt+1', 'First tab; 2 to 9 for the others'],
    ],
  },
  {
    title: 'Table',
    keys: [
      ['Mod+F', 'Find in the page'],
      ['Shift+Mod+F', 'Filter'],
      ['Mod+K', 'Search'],
      ['Mod+R', 'Reload'],
      ['Mod+S', 'Save'],
      ['Mod+Z', 'Undo an edit'],
      ['Shift+Mod+Z', 'Redo'],
      ['Alt+I', 'Row inspector'],
      ['Alt+S', 'Rows or structure'],
    ],
  },
  {
    title: 'Cells',
    keys: [
      ['Enter', 'Edit'],
      ['Shift+Enter', 'Edit in a large box'],
      ['Space', 'Switch a boolean'],
      ['Mod+Backspace', 'Set NULL'],
      ['Mod+C', 'Copy'],
      ['Mod+V', 'Paste'],
      ['Mod+D', 'Fill down'],
      ['Shift+Mod+D', 'Duplicate the rows'],
      ['Mod+A', 'Select all'],
      ['Shift+Space', 'Select the row'],
      ['Mod+I', 'Add a row'],
      ['Delete', 'Delete the rows'],
      ['Mod+E', 'Rows similar to this one'],
    ],
  },
  {
    title: 'Editor and map',
    keys: [
      ['Mod+Enter', 'Run the statement at the cursor'],
      ['Shift+Mod+Enter', 'Run all statements'],
      ['Shift+Alt+F', 'Format'],
      ['Mod+S', 'Save the query'],
      ['Shift+Mod+S', 'Save it under a new name'],
      ['Alt+J', 'Result as grid or JSON'],
      ['Alt+H', 'History'],
      ['Ctrl+Space', 'Complete'],
      ['Mod+/', 'Comment the lines'],
      ['+', 'Map: zoom in; - zooms out'],
      ['0', 'Map: show everything'],
    ],
  },
];

/** A dialog that lists the main shortcuts. */
export default function ShortcutSheet() {
  const open = useDialogs((state) => state.shortcuts);
  return (
    <Dialog
      open={open}
      title="Keyboard shortcuts"
      width="large"
      bodyLabel="Shortcuts"
      onClose={() => dialogs.showShortcuts(false)}
    >
      <div className={styles.groups}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([combination, does]) => (
                <div key={combination}>
                  <dt>{does}</dt>
                  <dd>
                    <Kbd keys={combination} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
