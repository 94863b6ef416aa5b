import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { requestBlocks } from './request-blocks.ts';

/** REST lines have their own colours: the GraphQL grammar would mark words of a path as keywords. */
export const restLines = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = decorate(view.state.doc.toString());
      }

      update(update: ViewUpdate) {
        if (update.docChanged) this.decorations = decorate(update.state.doc.toString());
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.theme({
    '.cm-rest-method, .cm-rest-method *': { color: 'var(--syntax-keyword) !important' },
    '.cm-rest-path, .cm-rest-path *': { color: 'var(--syntax-string) !important' },
  }),
];

const method = Decoration.mark({ class: 'cm-rest-method' });
const path = Decoration.mark({ class: 'cm-rest-path' });

function decorate(text: string): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const block of requestBlocks(text)) {
    const [, verb, gap, target] = /^(\w+)([ \t]+)(\S+)/.exec(text.slice(block.from, block.to)) ?? [];
    if (block.kind !== 'rest' || !verb || !gap || !target) continue;
    const begin = block.from + verb.length + gap.length;
    marks.add(block.from, block.from + verb.length, method);
    marks.add(begin, begin + target.length, path);
  }
  return marks.finish();
}
