/** Sets the member with this name. A plain assignment would lose a column called `__proto__`. */
export function setOwnValue<Value>(record: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}
