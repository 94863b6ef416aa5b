import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import styles from './find-bar.module.css';
import type { GridActions } from './grid-actions.ts';
import type { GridState, GridStore } from './grid-store.ts';
import type { GridModel } from './model.ts';
import { stepFind, useFind } from './use-find.ts';

/** Finds text among the rows of the page. */
export function FindBar(props: { store: GridStore; model: GridModel; actions: GridActions }) {
  const isOpen = useStore(props.store, ({ find }) => find !== null);
  return isOpen ? <OpenFindBar {...props} /> : null;
}

function OpenFindBar({ store, model, actions }: Parameters<typeof FindBar>[0]) {
  useFind(store, model, actions);
  const find = useStore(store, (state) => state.find);
  const opened = useStore(store, (state) => state.findOpened);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shortcut of Find also moves the focus to an open bar
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [opened]);
  if (!find) return null;
  const close = () => {
    store.setState({ find: null });
    actions.focus();
  };
  const none = find.done && find.query !== '' && find.matches.length === 0;
  return (
    <search className={styles.bar} aria-label="Find in this page">
      <input
        ref={input}
        className={styles.input}
        aria-label="Find in this page"
        aria-invalid={none}
        placeholder="Find in this page"
        autoComplete="off"
        spellCheck={false}
        value={find.query}
        onChange={({ target }) => store.setState({ find: { ...find, query: target.value, done: false } })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const isNext = event.key === 'Enter' || event.key === 'F3' || event.key === 'ArrowDown';
          if (!isNext && event.key !== 'ArrowUp' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Escape') close();
          else stepFind(store, actions, event.key === 'ArrowUp' || event.shiftKey ? -1 : 1);
        }}
      />
      <span role="status" className={styles.count}>
        {countText(find)}
      </span>
      <IconButton
        size="small"
        label="Previous match"
        shortcut="Shift+Enter"
        disabled={find.matches.length === 0}
        onClick={() => stepFind(store, actions, -1)}
      >
        <ChevronUp size={14} aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label="Next match"
        shortcut="Enter"
        disabled={find.matches.length === 0}
        onClick={() => stepFind(store, actions, 1)}
      >
        <ChevronDown size={14} aria-hidden />
      </IconButton>
      <IconButton size="small" label="Close find" shortcut="Escape" onClick={close}>
        <X size={14} aria-hidden />
      </IconButton>
    </search>
  );
}

function countText({ query, matches, at, done }: NonNullable<GridState['find']>): string {
  if (query === '') return '';
  if (matches.length === 0) return done ? 'No match' : '…';
  const total = `${matches.length.toLocaleString('en')}${done ? '' : '+'}`;
  return `${(at + 1).toLocaleString('en')} of ${total}`;
}
