import { AccessRole, AccessUser } from './access.ts';
import { Category, Product, Variant, VariantAxis, VariantOption } from './catalog.ts';
import { Connection } from './connections.ts';
import { Franchisee, LegalEntity } from './franchise.ts';
import { Media } from './media.ts';
import { ExternalMenuSetting } from './mirror.ts';

/**
 * Everything that is edited as an object. Tables that imports, snapshots and queues write are plain SQL:
 * set-based work never goes through the unit of work (design section 5).
 */
export const entities = [
  AccessRole,
  AccessUser,
  Category,
  Connection,
  ExternalMenuSetting,
  Franchisee,
  LegalEntity,
  Media,
  Product,
  Variant,
  VariantAxis,
  VariantOption,
];
