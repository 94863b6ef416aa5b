import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { type RefObject, useEffect, useRef } from 'react';
import dialogStyles from '../controls/dialogs/dialog.module.css';
import { Kbd } from '../controls/keys/kbd.tsx';
import popup from '../controls/popups/popup.module.css';
import { classNames } from '../controls/styles/class-names.ts';
import { dialogs, useDialogs } from '../data/window/open-dialog.ts';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import styles from './command-palette.module.css';
import { type Command, type CommandGroup, usePaletteCommands } from './palette-commands.ts';

/** Finds by name: tables of the open connections, saved queries, connections, and commands. */
export default function CommandPalette() {
  const open = useDialogs((state) => state.palette);
  const chosen = useRef(false);
  return (
    <Dialog.Root open={open} onOpenChange={dialogs.showPalette}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Viewport className={classNames(dialogStyles.viewport, styles.viewport)}>
          <Dialog.Popup
            className={classNames(dialogStyles.popup, styles.popup)}
            aria-label="Open anything"
            finalFocus={() => {
              if (chosen.current) focusActiveTab({ yields: true });
              return !chosen.current;
            }}
          >
            <Palette chosen={chosen} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette({ chosen }: { chosen: RefObject<boolean> }) {
  const text = useDialogs((state) => state.paletteText);
  const groups = usePaletteCommands(text);
  useEffect(() => {
    chosen.current = false;
  }, [chosen]);
  const run = (command: Command) => {
    chosen.current = true;
    dialogs.showPalette(false);
    command.run();
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      value={text}
      onValueChange={dialogs.typeInPalette}
      itemToStringValue={(command: Command) => `${command.label} ${command.detail ?? ''}`}
      autoHighlight="always"
      keepHighlight
    >
      <Autocomplete.Input
        className={styles.input}
        aria-label="Open anything"
        placeholder="Table, connection or command"
        data-palette-field
        // The user may have typed letters before the field had the focus. The cursor goes after them.
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
      />
      <Autocomplete.Empty className={popup.empty}>Nothing matches</Autocomplete.Empty>
      <Autocomplete.List className={classNames(popup.list, styles.list)}>
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className={popup.group}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.id}
                  value={command}
                  className={popup.item}
                  onClick={() => run(command)}
                >
                  <span className={popup.label}>{command.label}</span>
                  {command.detail && <span className={styles.detail}>{command.detail}</span>}
                  {command.shortcut && <Kbd keys={command.shortcut} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
