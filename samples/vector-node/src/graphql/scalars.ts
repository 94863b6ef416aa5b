import { type ConstValueNode, GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** A filter value, or a list of values. With kind `int`, big integers stay exact in a literal, not in a variable. */
export function valueScalar(name: string, kind: 'text' | 'int' | 'number' | 'boolean'): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    coerceInputLiteral: (node) => {
      const value =
        node.kind === Kind.LIST
          ? node.values.map((one) => element(one, kind) ?? lenient(kind))
          : element(node, kind);
      if (value === undefined || (Array.isArray(value) && value.includes(undefined))) return undefined;
      return value;
    },
    coerceInputValue: (value) => {
      const values = Array.isArray(value) ? value : [value];
      if (!values.every((one) => typeof one === jsTypes[kind])) {
        throw new GraphQLError(`Expected type "${name}", found ${JSON.stringify(value)}.`);
      }
      return value;
    },
  });
}

const jsTypes = { text: 'string', int: 'number', number: 'number', boolean: 'boolean' };

/** In a literal list of numbers, Weaviate reads a value of the wrong type as 0. */
function lenient(kind: string): number | undefined {
  return kind === 'int' || kind === 'number' ? 0 : undefined;
}

function element(node: ConstValueNode, kind: string): string | number | bigint | boolean | undefined {
  switch (kind) {
    case 'text':
      return node.kind === Kind.STRING ? node.value : undefined;
    case 'boolean':
      return node.kind === Kind.BOOLEAN ? node.value : undefined;
    case 'int':
      return node.kind === Kind.INT ? integer(node.value) : undefined;
    default:
      return node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined;
  }
}

function integer(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** A vector in a search, or in an answer. */
export function vectorScalar(name: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    coerceInputLiteral: (node) =>
      node.kind === Kind.LIST
        ? node.values.map((one) => (one.kind === Kind.INT || one.kind === Kind.FLOAT ? Number(one.value) : 0))
        : undefined,
    coerceInputValue: (value) => value,
    coerceOutputValue: (value) => value,
  });
}

/** Weights by the names of target vectors. */
export function weightsScalar(): GraphQLScalarType {
  return new GraphQLScalarType({
    name: 'Weights',
    coerceInputLiteral: (node) =>
      node.kind === Kind.OBJECT
        ? Object.fromEntries(
            node.fields.flatMap(({ name, value }) =>
              value.kind === Kind.INT || value.kind === Kind.FLOAT ? [[name.value, Number(value.value)]] : [],
            ),
          )
        : undefined,
    coerceInputValue: (value) => value,
  });
}
