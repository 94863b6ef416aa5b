import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { bracketMatching, type MatchResult } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { EditorRequests } from '@trestle/driver-kit';
import { completion, graphqlLanguage, graphqlLanguageSupport, stateExtensions } from 'cm6-graphql';
import { buildSchema, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { blockAt, type RequestBlock, requestBlocks } from './request-blocks.ts';
import { restCompletion } from './rest-completion.ts';

/** GraphQL that may be mixed with REST lines. Only the GraphQL is linted. REST lines have their own completion. */
export function graphqlExtension(
  given: { sdl: string; requests?: EditorRequests } | undefined,
  tables: string[],
): Extension {
  const schema = given?.sdl ? readSchema(given.sdl) : undefined;
  const extensions: Extension[] = [
    graphqlLanguageSupport(),
    restLines,
    bracketMatching({ renderMatch: bracketMarks }),
    linter((view) => lintRequests(view.state.doc.toString(), schema)),
  ];
  if (schema) extensions.push(graphqlLanguage.data.of({ autocomplete: completeIn(schema) }));
  if (given?.requests) {
    extensions.push(graphqlLanguage.data.of({ autocomplete: restCompletion(given.requests, tables) }));
  }
  return extensions;
}

const bracketMark = Decoration.mark({ class: 'cm-matchingBracket' });

/** Marks pairs only. The GraphQL parser cannot read a REST line, so a bracket after it may seem to have no partner. */
export function bracketMarks({ matched, start, end }: MatchResult) {
  return matched ? [start, ...(end ? [end] : [])].map(({ from, to }) => bracketMark.range(from, to)) : [];
}

export function lintRequests(text: string, schema: GraphQLSchema | undefined): Diagnostic[] {
  return requestBlocks(text).flatMap((block) =>
    block.kind === 'rest' ? [] : lintOperation(text.slice(block.from, block.to), block, schema),
  );
}

function lintOperation(text: string, block: RequestBlock, schema: GraphQLSchema | undefined): Diagnostic[] {
  try {
    const document = parse(text);
    return schema ? validate(schema, document).map((error) => diagnostic(error, block)) : [];
  } catch (error) {
    return error instanceof GraphQLError ? [diagnostic(error, block)] : [];
  }
}

function diagnostic(error: GraphQLError, { from, to }: RequestBlock): Diagnostic {
  const node = error.nodes?.[0]?.loc;
  const start = from + (node?.start ?? error.positions?.[0] ?? 0);
  // A node may extend over many lines, so only its first token is marked.
  const end = node ? from + Math.min(node.end, node.startToken.end) : start + 1;
  return {
    from: Math.min(start, Math.max(from, to - 1)),
    to: Math.min(Math.max(end, start + 1), to),
    severity: 'error',
    message: error.message,
  };
}

/** The library reads the whole text as GraphQL, so spaces replace the text before the request at the cursor. */
function completeIn(schema: GraphQLSchema): CompletionSource {
  return (context) => {
    const text = context.state.doc.toString();
    const block = blockAt(requestBlocks(text), context.pos);
    if (block?.kind === 'rest' && context.pos <= block.to) return null;
    const from = block?.kind === 'graphql' ? block.from : context.pos;
    const blanked = text.slice(0, from).replace(/[^\n]/g, ' ') + text.slice(from);
    const shadow = EditorState.create({
      doc: blanked,
      extensions: [graphqlLanguageSupport(), completion, stateExtensions(schema)],
    });
    const [source] = shadow.languageDataAt<CompletionSource>('autocomplete', context.pos);
    return source?.(new CompletionContext(shadow, context.pos, context.explicit)) ?? null;
  };
}

function readSchema(sdl: string): GraphQLSchema | undefined {
  try {
    return buildSchema(sdl, { assumeValid: true });
  } catch {
    // The editor also works without a schema.
    return undefined;
  }
}

/** REST lines have their own colours: the GraphQL grammar would mark words of a path as keywords. */
const restLines = [
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
