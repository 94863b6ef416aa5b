import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser/lib/esm/main.js';
import { type ConfigText, isMap } from './config-text.ts';
import { insertProperty, layoutOf, printed } from './json-insert.ts';
import { removeProperty } from './json-remove.ts';

/** Edits our entry in JSON text. Comments, order and layout outside the entry stay. */
export function jsonConfig(key: string, name: string, allows: { comments: boolean }): ConfigText {
  return {
    read(text) {
      if (text.trim() === '') return {};
      const errors: ParseError[] = [];
      const options = { disallowComments: !allows.comments, allowTrailingComma: allows.comments };
      const value: unknown = parse(text, errors, options);
      if (errors[0])
        throw new Error(`line ${text.slice(0, errors[0].offset).split('\n').length} is not JSON`);
      if (!isMap(value)) throw new Error('it does not hold a JSON object');
      return value;
    },
    set(text, entry) {
      const source = text.trim() === '' ? '{}\n' : text;
      const root = parseTree(source, [], { allowTrailingComma: true });
      if (!root) throw new Error('it does not hold a JSON object');
      const servers = findNodeAtLocation(root, [key]);
      if (!servers) return insertProperty(source, root, key, { [name]: entry });
      if (servers.type !== 'object') return replaceValue(source, servers, { [name]: entry });
      const existing = findNodeAtLocation(servers, [name]);
      return existing ? replaceValue(source, existing, entry) : insertProperty(source, servers, name, entry);
    },
    remove(text) {
      const root = parseTree(text, [], { allowTrailingComma: true });
      const property = root && findNodeAtLocation(root, [key, name])?.parent;
      return property?.parent ? removeProperty(text, property.parent, property) : text;
    },
  };
}

function replaceValue(text: string, node: Node, value: unknown): string {
  const line = text.lastIndexOf('\n', node.offset - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
  const after = text.slice(node.offset + node.length);
  return text.slice(0, node.offset) + printed(value, indent, layoutOf(text)) + after;
}
