import { parseDocument } from 'yaml';
import { type ConfigText, isMap, unparsable } from './config-text.ts';
import { yamlFile } from './steps.ts';

/** A file for this one server: written whole, or not at all. */
export function yamlFileConfig(key: string, name: string): ConfigText {
  return {
    read(text) {
      const document = parseDocument(text);
      const [error] = document.errors;
      if (error) throw unparsable(`${error.message.split('\n')[0]}`);
      const value: unknown = document.toJS() ?? {};
      if (!isMap(value)) throw unparsable('it does not hold a map');
      return value;
    },
    set: (_, entry) => yamlFile(key, entry),
    remove(text) {
      const document = parseDocument(text);
      const servers = document.toJS()?.[key];
      const index = Array.isArray(servers) ? servers.findIndex((one) => isMap(one) && one.name === name) : -1;
      if (index !== -1) document.deleteIn([key, index]);
      return document.toString({ lineWidth: 0 });
    },
  };
}
