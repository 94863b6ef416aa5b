import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const view = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-md)', backgroundColor: 'var(--bg-surface)' },
  '&.cm-focused': { outline: 'none', boxShadow: 'inset 2px 0 0 var(--focus)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-placeholder': { color: 'var(--text-faint)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--text-faint)',
    border: 'none',
    paddingLeft: '6px',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--bg-selected)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-hover)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--bg-selected)',
    outline: '1px solid var(--line-control)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-md)',
    backgroundColor: 'var(--bg-overlay)',
    boxShadow: 'var(--shadow-popup)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px !important', color: 'var(--text)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--bg-selected) !important',
    color: 'var(--text) !important',
  },
  '.cm-completionDetail': { color: 'var(--text-muted)' },
  '.cm-diagnostic': { padding: '4px 8px', borderLeftWidth: '3px', color: 'var(--text)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-panels': { backgroundColor: 'var(--bg-stripe)', color: 'var(--text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    backgroundColor: 'var(--bg-surface)',
  },
  '.cm-button': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    backgroundImage: 'none',
    backgroundColor: 'var(--bg-overlay)',
  },
});

const words = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword, tags.modifier],
    color: 'var(--syntax-keyword)',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.integer, tags.float, tags.bool, tags.null], color: 'var(--syntax-number)' },
  {
    tag: [tags.comment, tags.lineComment, tags.blockComment],
    color: 'var(--syntax-comment)',
    fontStyle: 'italic',
  },
  { tag: [tags.attributeName, tags.variableName], color: 'var(--syntax-name)' },
  { tag: [tags.typeName, tags.standard(tags.name), tags.special(tags.name)], color: 'var(--syntax-name)' },
]);

/** Colours from the design tokens, so that the editor needs no second theme for dark mode. */
export const editorTheme: Extension = [view, syntaxHighlighting(words)];
