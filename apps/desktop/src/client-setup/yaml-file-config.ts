import { parseDocument } from 'yaml';
import { type ConfigText, isMap } from './config-text.ts';
import { yamlFile } from './steps.ts';
import { eolOf } from './yaml-lines.ts';

/**
 * A file for one server, ours. If it contains our entry, `set` changes only that entry, but the library prints the whole
 * file in its own layout. Otherwise `set` replaces the whole file.
 */
export function yamlFileConfig(key: string, name: string): ConfigText {
  const indexIn = (value: unknown): number => {
    const servers = isMap(value) ? value[key] : undefined;
    return Array.isArray(servers) ? servers.findIndex((one) => isMap(one) && one.name === name) : -1;
  };
  return {
    read(text) {
      const document = parseDocument(text);
      const [error] = document.errors;
      if (error) throw new Error(`${error.message.split('\n')[0]}`);
      const value: unknown = document.toJS() ?? {};
      if (!isMap(value)) throw new Error('it does not hold a map');
      return value;
    },
    set(text, entry) {
      const document = parseDocument(text);
      const index = indexIn(document.toJS());
      if (index === -1) return yamlFile(key, entry);
      document.setIn([key, index], document.createNode(entry));
      return document.toString({ lineWidth: 0 }).replaceAll('\n', eolOf(text));
    },
    remove(text) {
      const document = parseDocument(text);
      const index = indexIn(document.toJS());
      if (index === -1) return text;
      document.deleteIn([key, index]);
      return document.toString({ lineWidth: 0 }).replaceAll('\n', eolOf(text));
    },
  };
}
