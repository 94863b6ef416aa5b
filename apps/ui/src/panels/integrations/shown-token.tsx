import { Button } from '../../controls/buttons/button.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { isSecondClick } from '../../controls/keys/is-second-click.ts';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { Note } from '../../data/messages/error-note.tsx';
import styles from './integrations.module.css';

export function ShownToken(props: { name: string; secret: string; onClose(): void }) {
  return (
    <Dialog
      open
      width="small"
      title={`Token “${props.name}”`}
      onClose={props.onClose}
      footer={
        // Done is where Create token was. The second click of a double click on Create token must not hide the token.
        <Button variant="primary" onClick={(event) => !isSecondClick(event) && props.onClose()}>
          Done
        </Button>
      }
    >
      <div className={styles.form}>
        <Note level="warning">Copy the token now. It is not shown again.</Note>
        <output className={classNames(code.block, styles.secret)}>{props.secret}</output>
        <div>
          <CopyButton text={props.secret} what="token" />
        </div>
      </div>
    </Dialog>
  );
}
