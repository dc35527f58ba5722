import type { StoredErpOrder } from '../at-erp/save-erp-orders.ts';
import type { OrderWitness } from './lost-executions.ts';
import type { Created } from './lost-orders.ts';

export type Lost = {
  orderId: string;
  fact: Created;
  witness: OrderWitness | null;
  connectionId: number;
  restoredTo: Date;
  placedFrom: Date;
};

export type Stored = Omit<StoredErpOrder, 'organizationId'>;

export type CartRow = {
  id: string;
  customerId: string | null;
  promocode: string | null;
  version: number;
};

export type Unrecovered =
  | 'CART_UNKNOWN'
  /** No execution contains the cart, so it was found by its lines. */
  | 'CART_BY_LINES'
  /** No execution contains the rights, so gifts were found by phone. */
  | 'GIFTS_BY_PHONE'
  /** The right was granted after the backup. */
  | 'RIGHT_LOST'
  /** The right was used by another order, or has ended. */
  | 'RIGHT_TAKEN'
  | 'DISCOUNTS_UNKNOWN'
  /** The discount's limit is reached. */
  | 'DISCOUNT_NOT_COUNTED';
