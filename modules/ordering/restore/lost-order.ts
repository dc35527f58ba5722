import type { StoredErpOrder } from '../at-erp/save-erp-orders.ts';
import type { OrderWitness } from './lost-executions.ts';
import type { Created } from './lost-orders.ts';

/** An order that the ERP has and the restored database lacks. */
export type Lost = {
  orderId: string;
  fact: Created;
  witness: OrderWitness | null;
  connectionId: number;
  restoredTo: Date;
  placedFrom: Date;
};

/** The order as the ERP reports it. */
export type Stored = Omit<StoredErpOrder, 'organizationId'>;

/** A cart that an order may have been made of. */
export type CartRow = { id: string; customerId: string | null; promocode: string | null; version: number };

/** A part of a lost order that could not be recovered. */
export type Unrecovered =
  /** No cart matches the order. */
  | 'CART_UNKNOWN'
  /** The cart was found by its lines, because no execution names it. */
  | 'CART_BY_LINES'
  /** No execution lists the rights that were taken. Gifts are matched by the phone. */
  | 'GIFTS_BY_PHONE'
  /** A right was given in the lost window, so it has no row. */
  | 'RIGHT_LOST'
  /** A right was taken by another order or has ended. */
  | 'RIGHT_TAKEN'
  /** No execution lists the discounts that were used. */
  | 'DISCOUNTS_UNKNOWN'
  /** A limit of a discount leaves no place for the use. */
  | 'DISCOUNT_NOT_COUNTED';
