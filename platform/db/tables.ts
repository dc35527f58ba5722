/**
 * Row types of all tables and views in camelCase. `modules/registry.ts` adds the entities, so that
 * lower folders do not import them.
 */
export interface Tables {}
