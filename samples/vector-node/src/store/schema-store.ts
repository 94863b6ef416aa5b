import { type ClassDefinition, isMultiTenant, type PropertyDefinition } from '../definition.ts';
import { notFound, schemaRefusal, unprocessable } from '../errors.ts';
import { checkClass, checkProperty, checkVectors } from './class-check.ts';
import { capitalised, propertyWithDefaults, withDefaults } from './class-defaults.ts';

export interface Tenant {
  name: string;
  activityStatus: string;
}

/** The collections and their tenants. If `version` grew after the GraphQL schema was built, that schema is stale. */
export class SchemaStore {
  version = 0;
  readonly #classes = new Map<string, ClassDefinition>();
  readonly #tenants = new Map<string, Map<string, Tenant>>();

  all(): ClassDefinition[] {
    return [...this.#classes.values()];
  }

  find(name: string): ClassDefinition | undefined {
    return this.#classes.get(capitalised(name));
  }

  get(name: string): ClassDefinition {
    const found = this.find(name);
    if (!found) throw notFound();
    return found;
  }

  add(given: ClassDefinition): ClassDefinition {
    const definition = withDefaults({ ...given, class: String(given.class ?? '') });
    checkClass(definition, (name) => this.#classes.has(name));
    this.#classes.set(definition.class, definition);
    this.#tenants.set(definition.class, new Map());
    this.version++;
    return definition;
  }

  remove(name: string): void {
    this.#classes.delete(capitalised(name));
    this.#tenants.delete(capitalised(name));
    this.version++;
  }

  addProperty(className: string, given: PropertyDefinition): PropertyDefinition {
    const definition = this.find(className);
    if (!definition) throw schemaRefusal(`class "${className}": not found`);
    const property = propertyWithDefaults(given);
    const taken = new Set((definition.properties ?? []).map(({ name }) => name.toLowerCase()));
    checkProperty(property, definition.class, taken, (name) => this.#classes.has(name));
    this.#classes.set(definition.class, {
      ...definition,
      properties: [...(definition.properties ?? []), property],
    });
    this.version++;
    return property;
  }

  /** Updates description and settings. The properties stay: they have their own route. */
  replace(className: string, given: ClassDefinition): ClassDefinition {
    const before = this.get(className);
    const after = withDefaults({ ...given, class: before.class, properties: before.properties });
    checkVectors(after);
    this.#classes.set(before.class, after);
    this.version++;
    return after;
  }

  tenants(className: string): Map<string, Tenant> {
    const definition = this.get(className);
    if (!isMultiTenant(definition)) {
      throw unprocessable(
        `failed to execute query: could not get tenants: could not get tenants: multi-tenancy is not enabled for class "${definition.class}"`,
      );
    }
    return this.#tenants.get(definition.class) ?? new Map();
  }

  /** Why a request with this tenant, or without one, is refused, in Weaviate's words. Null if it is allowed. */
  tenantRefusal(definition: ClassDefinition, tenant: string | undefined): string | null {
    if (!isMultiTenant(definition)) {
      return tenant
        ? `class ${definition.class} has multi-tenancy disabled, but request was with tenant`
        : null;
    }
    if (!tenant) return `class ${definition.class} has multi-tenancy enabled, but request was without tenant`;
    const found = this.#tenants.get(definition.class)?.get(tenant);
    if (!found) return `tenant not found: "${tenant}"`;
    return found.activityStatus === 'HOT' ? null : `tenant not active: '${tenant}'`;
  }
}
