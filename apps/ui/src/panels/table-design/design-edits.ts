import type {
  Design,
  DesignField,
  DesignItem,
  DesignPart,
  DesignProblem,
  DesignValue,
} from '@trestle/driver-kit';

/** The position of an item at each level. */
export type Path = number[];

export interface ListedItem {
  path: Path;
  item: DesignItem;
}

/** The items of a part in the order of the form: each before the items that it has itself. */
export function listed(items: DesignItem[] = [], above: Path = []): ListedItem[] {
  return items.flatMap((item, at) => {
    const path = [...above, at];
    return [{ path, item }, ...listed(item.items, path)];
  });
}

export function withField(design: Design, id: string, value: DesignValue): Design {
  return { ...design, fields: { ...design.fields, [id]: value } };
}

export function withItemField(
  design: Design,
  part: string,
  path: Path,
  id: string,
  value: DesignValue,
): Design {
  return changed(design, part, path, (item) => ({ ...item, fields: { ...item.fields, [id]: value } }));
}

/** Adds an item after the others of its level. `above`: the item that gets it. */
export function withNewItem(design: Design, part: string, above: Path = []): { design: Design; path: Path } {
  const fresh: DesignItem = { fields: { name: '' } };
  const count = itemsAt(design, part, above).length;
  return {
    design: inLevel(design, part, above, (items) => [...items, fresh]),
    path: [...above, count],
  };
}

export function withoutItem(design: Design, part: string, path: Path): Design {
  return inLevel(design, part, path.slice(0, -1), (items) => items.filter((_, at) => at !== path.at(-1)));
}

/** Moves an item by one place within its level. Null if it is at the end already. */
export function withMovedItem(
  design: Design,
  part: string,
  path: Path,
  by: 1 | -1,
): { design: Design; path: Path } | null {
  const above = path.slice(0, -1);
  const at = path.at(-1)!;
  const to = at + by;
  if (to < 0 || to >= itemsAt(design, part, above).length) return null;
  const moved = inLevel(design, part, above, (items) => {
    const next = [...items];
    next.splice(to, 0, ...next.splice(at, 1));
    return next;
  });
  return { design: moved, path: [...above, to] };
}

function itemsAt({ parts }: Design, part: string, above: Path): DesignItem[] {
  return above.reduce<DesignItem[]>((items, at) => items[at]?.items ?? [], parts[part] ?? []);
}

function changed(design: Design, part: string, path: Path, edit: (item: DesignItem) => DesignItem): Design {
  return inLevel(design, part, path.slice(0, -1), (items) =>
    items.map((item, at) => (at === path.at(-1) ? edit(item) : item)),
  );
}

function inLevel(
  design: Design,
  part: string,
  above: Path,
  edit: (items: DesignItem[]) => DesignItem[],
): Design {
  const inside = (items: DesignItem[], [at, ...deeper]: Path): DesignItem[] =>
    at === undefined
      ? edit(items)
      : items.map((item, index) =>
          index === at ? { ...item, items: inside(item.items ?? [], deeper) } : item,
        );
  return { ...design, parts: { ...design.parts, [part]: inside(design.parts[part] ?? [], above) } };
}

export function fieldValue(field: DesignField, values: Record<string, DesignValue>): DesignValue {
  return values[field.id] ?? field.default;
}

/** Whether the form shows the field. `values` may leave out fields that have their default. */
export function isShown(
  { visibleWhen = [] }: Pick<DesignField, 'visibleWhen'>,
  values: Record<string, DesignValue>,
  fields: DesignField[],
): boolean {
  return visibleWhen.every(({ field: id, oneOf }) => {
    const other = fields.find((one) => one.id === id);
    const value = values[id] ?? other?.default;
    return oneOf.some((one) => one === value);
  });
}

export function canNest({ nesting, fields }: DesignPart, { fields: values }: DesignItem): boolean {
  return nesting !== undefined && isShown({ visibleWhen: [nesting] }, values, fields);
}

/** The problems of one item. Without a part: of the table itself. */
export function problemsAt(problems: DesignProblem[], part?: string, path?: Path): DesignProblem[] {
  return problems.filter((one) => one.part === part && (one.item ?? []).join('.') === (path ?? []).join('.'));
}
