/**
 * Row types of every table and view: properties in camelCase, columns with a default may be left
 * out of an insert. `modules/registry.ts` adds the entities of the kernel and the modules, so that
 * no lower folder imports them.
 */
export interface Tables {}
