import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** A field as the server sees it, with its fragments written out. */
export interface SpreadField {
  field: FieldNode;
  /** The collection that the surrounding fragment names, if any. */
  type: string | undefined;
}

/** Reads the fields of a query through its fragments. The caller has checked that no fragment contains itself. */
export class QueryFields {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #document: DocumentNode;

  constructor(document: DocumentNode) {
    this.#document = document;
    for (const one of document.definitions) {
      if (one.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(one.name.value, one);
    }
  }

  roots(): FieldNode[] {
    return this.#document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? this.of(one.selectionSet).map(({ field }) => field) : [],
    );
  }

  of(selection: SelectionSetNode | undefined, type?: string): SpreadField[] {
    return (selection?.selections ?? []).flatMap((one): SpreadField[] => {
      if (one.kind === Kind.FIELD) return [{ field: one, type }];
      if (one.kind === Kind.INLINE_FRAGMENT)
        return this.of(one.selectionSet, one.typeCondition?.name.value ?? type);
      const fragment = this.#fragments.get(one.name.value);
      return this.of(fragment?.selectionSet, fragment?.typeCondition.name.value ?? type);
    });
  }
}
