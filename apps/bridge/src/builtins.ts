/**
 * An `import` of these reads every export, the lazy ones among them: with `node:fs` file streams and readline. That is
 * time lost at each start of a process that needs none of it.
 */
export const { existsSync } = process.getBuiltinModule('node:fs');
export const { connect } = process.getBuiltinModule('node:net');
export const { StringDecoder } = process.getBuiltinModule('node:string_decoder');
