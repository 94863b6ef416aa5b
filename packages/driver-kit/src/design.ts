import type { DriverErrorDetails } from './errors.ts';
import type { RequestCode } from './request-code.ts';
import type { ColumnType, Json } from './values.ts';

/** The parts of a table on this server, and the fields of each part. The window draws a form from it. */
export interface DesignForm {
  groups: DesignGroup[];
  /** Lists inside the table, such as columns, vectors or indexes. */
  parts: DesignPart[];
}

/** Fields of the table itself. */
export interface DesignGroup {
  title: string;
  fields: DesignField[];
}

export interface DesignPart {
  /** The key of `Design.parts`. */
  id: string;
  /** Singular and plural: `property`, `properties`. */
  terms: [string, string];
  /** The first field has the id `name`: it is the name of the item. */
  fields: DesignField[];
  /** An item has items of its own if this field has one of these values: an object has properties. */
  nesting?: DesignCondition;
  /** How a table that exists gets another item, and loses one. */
  add: Later;
  remove: Later;
}

/**
 * How a setting of a table that exists changes: with one request, by a task of the server, or only by copying the rows
 * into a new table.
 */
export type Later = 'now' | 'task' | 'copy';

export interface DesignCondition {
  field: string;
  oneOf: (string | boolean)[];
}

export type DesignField = {
  id: string;
  label: string;
  help?: string;
  visibleWhen?: DesignCondition[];
  advanced?: boolean;
  later: Later;
} & (
  | { type: 'text'; default: string; placeholder?: string }
  | { type: 'number'; default: number; min?: number; max?: number; whole?: boolean }
  | { type: 'boolean'; default: boolean }
  | { type: 'choice'; default: string; choices: DesignChoice[] }
  /** Words, in any number. */
  | { type: 'texts'; default: string[] }
  /** Names of items of a part of this design. */
  | { type: 'items'; part: string; default: string[] }
  /** Names of tables, also of this one. */
  | { type: 'tables'; default: string[] }
  /** A JSON object, as text. */
  | { type: 'json'; default: string }
);

export interface DesignChoice {
  value: string;
  label: string;
  /** The consequence, in one sentence. */
  help?: string;
  /** The choice is offered only if all of these hold. */
  visibleWhen?: DesignCondition[];
}

export type DesignValue = string | number | boolean | string[];

/** A table as a person designs it. A field that is missing has its default. */
export interface Design {
  name: string;
  fields: Record<string, DesignValue>;
  parts: Record<string, DesignItem[]>;
  /** A definition whose settings hold where the form has no field for them. */
  definition?: string;
}

export interface DesignItem {
  fields: Record<string, DesignValue>;
  /**
   * The name that the item had where the design was read: of the column of a file, or of the item in the table. A
   * driver that sets it for a table can rename items.
   */
  from?: string;
  items?: DesignItem[];
}

/** The design of a table, of a definition in the form of `TableDescription.definition`, or of rows from elsewhere. */
export type DesignSource = { table: string } | { definition: string } | { columns: FoundColumn[] };

/** A column of rows that no table has yet, such as those of a file. The driver chooses the native type. */
export interface FoundColumn {
  name: string;
  type: ColumnType;
  /** Each value is a list of values of this type. */
  isList?: boolean;
  /** The members of each object, with the type `json`. */
  columns?: FoundColumn[];
}

export interface PlanRequest {
  design: Design;
  /** The table that becomes as designed. Undefined: the design is of a new table. */
  table?: string;
}

export interface DesignPlan {
  /** Why the design cannot be sent. */
  problems: DesignProblem[];
  steps: DesignStep[];
  /** The creation, or all steps that are requests, as code in each language that the driver supports. */
  code: RequestCode[];
  /** Identifies the table as it was read for this plan. */
  seen?: string;
}

export interface DesignProblem {
  /** One sentence, shown at the field. */
  problem: string;
  /** The field. Undefined: the table, or the item as a whole. */
  field?: string;
  /** The item: the part, and the position at each level. */
  part?: string;
  item?: number[];
}

export interface DesignStep {
  later: Later;
  /** `Add the property year`. */
  title: string;
  /** The statement, in the form that the editor takes. Undefined for a change that needs a copy. */
  text?: string;
  /** Other effects: how long writes fail, what is lost. */
  cost?: string;
  /** How it is taken back, in words. Undefined if it cannot be taken back. */
  undo?: string;
  changes: DesignDifference[];
}

export interface DesignDifference {
  /** `year: Filterable`. */
  label: string;
  from: string;
  to: string;
}

/**
 * An act on the server, as steps. The driver gives one step at a time. The app sends its statement through the same
 * gates as a statement of the editor, and asks for the next step with the answer.
 */
export type Act =
  | { kind: 'create'; design: Design }
  /** `seen` is from the plan that the user saw. If the table has changed since, the act ends and sends nothing. */
  | { kind: 'change'; table: string; design: Design; seen: string };

export interface StepRequest {
  act: Act;
  /** The state that the step before gave. Null for the first step. */
  state: Json;
  /** The answer to the step before, if it was a statement. */
  answer?: StepAnswer;
}

/** The documents that the server answered with, or its refusal. */
export type StepAnswer = { documents: Json[] } | { error: DriverErrorDetails };

export type ActStep =
  | { kind: 'send'; title: string; text: string; state: Json }
  /** The app asks again after this time. `progress`: from 0 to 1. */
  | { kind: 'wait'; title: string; seconds: number; state: Json; progress?: number }
  | { kind: 'end'; ended: ActEnd };

export interface ActEnd {
  /** `partly`: an earlier step was made, and a later one was not. `none`: nothing was changed. */
  made: 'all' | 'partly' | 'none';
  /** A sentence for each fact that the user must know: a setting that the server did not take, a step that failed. */
  notes: string[];
}
