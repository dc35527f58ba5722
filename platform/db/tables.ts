/** Extended by `modules/registry.ts`. */
export interface Tables {}
