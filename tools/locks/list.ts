import { BINDING } from './binding.ts';
import { EDITS } from './catalog.ts';
import { CONNECTIONS_AND_ERP } from './connections.ts';
import { PICTURE_LOCKS } from './media.ts';
import { MIRROR } from './mirror.ts';
import type { Mutation } from './mutation.ts';
import { OPERATIONS } from './operations.ts';
import { MENUS } from './snapshot.ts';
import { UNIQUE_RULES } from './unique-rules.ts';

/** Everything `npm run check:locks` takes away, one at a time. */
export const MUTATIONS: readonly Mutation[] = [
  ...MIRROR,
  ...CONNECTIONS_AND_ERP,
  ...EDITS,
  ...PICTURE_LOCKS,
  ...BINDING,
  ...MENUS,
  ...OPERATIONS,
  ...UNIQUE_RULES,
];
