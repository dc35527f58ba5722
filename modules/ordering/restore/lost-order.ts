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
  /** No execution names it, so it was found by its lines. */
  | 'CART_BY_LINES'
  /** No execution lists the rights, so gifts are matched by phone. */
  | 'GIFTS_BY_PHONE'
  /** Granted after the restored moment. */
  | 'RIGHT_LOST'
  /** Used by another order, or ended. */
  | 'RIGHT_TAKEN'
  | 'DISCOUNTS_UNKNOWN'
  /** The discount's limit is reached. */
  | 'DISCOUNT_NOT_COUNTED';
