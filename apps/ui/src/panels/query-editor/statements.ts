import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { Manifest } from '@trestle/driver-kit';
import { requestBlocks } from './request-blocks.ts';

export interface Statement {
  from: number;
  to: number;
}

type Language = Manifest['editor']['language'];
type Tree = ReturnType<typeof syntaxTree>;

/**
 * The statements or requests in the parsed part of the text. With a budget, the whole text is parsed first, if the
 * budget is enough. `isWhole`: all of the text is parsed.
 */
export function statementsIn(
  state: EditorState,
  language: Language,
  budgetMs = 0,
): { list: Statement[]; isWhole: boolean } {
  if (language === 'graphql') {
    return { list: cached(state.doc, null, () => requestBlocks(state.doc.toString())), isWhole: true };
  }
  // The editor parses in the background. The end of a long script may not be parsed yet.
  const whole = budgetMs > 0 ? ensureSyntaxTree(state, state.doc.length, budgetMs) : null;
  const tree = whole ?? syntaxTree(state);
  const list = cached(state.doc, tree, () => sqlStatements(tree, state.doc));
  return { list, isWhole: whole !== null || tree.length >= state.doc.length };
}

/** The statement that contains a position, or else the last one before it, or else the first. */
export function statementAt(list: Statement[], position: number): Statement | undefined {
  return list.findLast(({ from }) => from <= position) ?? list[0];
}

let last: { doc: Text; tree: Tree | null; list: Statement[] } | null = null;

/** Caches the last list, since each move of the cursor asks for the list of the same text. */
function cached(doc: Text, tree: Tree | null, read: () => Statement[]): Statement[] {
  if (last?.doc !== doc || last.tree !== tree) last = { doc, tree, list: read() };
  return last.list;
}

/** To the grammar, a semicolon alone is a statement. A driver would refuse it, so it is left out. */
function sqlStatements(tree: Tree, doc: Text): Statement[] {
  const nodes = tree.topNode.getChildren('Statement').map(({ from, to }) => ({ from, to }));
  return withTriggers(nodes, doc).filter(
    ({ from, to }) => doc.sliceString(from, Math.min(to, from + 2)) !== ';',
  );
}

/**
 * Joins the parts of a trigger, up to its `END`, into one statement. The grammar ends a statement at each semicolon,
 * also in the body of a trigger.
 */
function withTriggers(nodes: Statement[], doc: Text): Statement[] {
  const list: Statement[] = [];
  let open: Statement | null = null;
  for (const node of nodes) {
    if (open) open.to = node.to;
    else list.push(node);
    const text = doc.sliceString(node.from, Math.min(node.to, node.from + 60));
    if (open && /^end\b/i.test(text)) open = null;
    else if (!open && /^create\s+(temp\s+|temporary\s+)?trigger\b/i.test(text)) open = node;
  }
  return list;
}
