import { type FormEvent, useEffect, useId, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { TextField } from '../fields/text-field.tsx';
import { Dialog } from './dialog.tsx';

/** Asks for a name. */
export function NameDialog(props: {
  open: boolean;
  title: string;
  act: string;
  initial: string;
  onName(name: string): void;
  onClose(): void;
}) {
  const [name, setName] = useState(props.initial);
  const form = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name is reset each time the dialog opens
  useEffect(() => setName(props.initial), [props.open]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') props.onName(name.trim());
  };
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      width="small"
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={name.trim() === ''}>
            {props.act}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          // The initial name is selected, so that typing replaces it.
          onFocus={(event) => event.currentTarget.select()}
        />
      </form>
    </Dialog>
  );
}
