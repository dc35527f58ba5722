import { p } from '@mikro-orm/core';

/** Columns of everything that people edit: times, and the version that a PATCH must name (rule HTTP-5). */
export const edited = {
  createdAt: p
    .datetime()
    .onCreate(() => new Date())
    .defaultRaw('now()'),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date())
    .defaultRaw('now()'),
  version: p.integer().version().default(1),
};
