import type { Dice } from './dice.ts';

export type OrderType = {
  readonly id: string;
  readonly name: string;
  readonly orderServiceType: 'Common' | 'DeliveryByCourier' | 'DeliveryPickUp';
  readonly isDefault: boolean;
  readonly isDeleted: boolean;
};

export type PaymentType = {
  readonly id: string | null;
  readonly code: string;
  readonly name: string;
  readonly paymentTypeKind: 'Cash' | 'Card' | 'External';
  readonly isDeleted: boolean;
};

export type DiscountType = {
  readonly id: string;
  readonly name: string | null;
  readonly mode: 'Percent' | 'FlexibleSum' | 'FixedSum';
  readonly percent: number;
  readonly sum: number;
  readonly minOrderSum: number | null;
  readonly isManual: boolean;
  readonly isDeleted: boolean;
};

export type GuestCategory = {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isDefaultForNewGuests: boolean;
};

/** Guest categories, and the data that orders refer to, except dishes. */
export type Dictionaries = {
  readonly orderTypes: readonly OrderType[];
  readonly paymentTypes: readonly PaymentType[];
  readonly discounts: readonly DiscountType[];
  readonly guestCategories: readonly GuestCategory[];
};

/** Promises a gift. The id is the same for every seed, so that a demo can name it. */
export const GIFT_CATEGORY = {
  id: '5b1f0c7e-2a64-4d0b-9c35-6d1e8f7a9042',
  name: 'Подарок: десерт',
} as const;

/**
 * Builds dictionaries with oddities of real ones: two default order types, deleted rows, and a
 * payment type without id.
 */
export function dictionaries(dice: Dice): Dictionaries {
  const orderType = (
    name: string,
    orderServiceType: OrderType['orderServiceType'],
    flags: Partial<Pick<OrderType, 'isDefault' | 'isDeleted'>> = {},
  ): OrderType => ({
    id: dice.uuid(`order-type/${name}`),
    name,
    orderServiceType,
    isDefault: false,
    isDeleted: false,
    ...flags,
  });

  const paymentType = (
    code: string,
    name: string,
    paymentTypeKind: PaymentType['paymentTypeKind'],
    fields: Partial<PaymentType> = {},
  ): PaymentType => ({
    id: dice.uuid(`payment-type/${code}`),
    code,
    name,
    paymentTypeKind,
    isDeleted: false,
    ...fields,
  });

  const discount = (name: string, fields: Partial<DiscountType>): DiscountType => ({
    id: dice.uuid(`discount/${name}`),
    name,
    mode: 'FlexibleSum',
    percent: 0,
    sum: 0,
    minOrderSum: null,
    isManual: true,
    isDeleted: false,
    ...fields,
  });

  const guestCategory = (name: string, fields: Partial<GuestCategory> = {}): GuestCategory => ({
    id: dice.uuid(`guest-category/${name}`),
    name,
    isActive: true,
    isDefaultForNewGuests: false,
    ...fields,
  });

  return {
    guestCategories: [
      guestCategory('Новые гости', { isDefaultForNewGuests: true }),
      guestCategory('Постоянные гости'),
      guestCategory(GIFT_CATEGORY.name, { id: GIFT_CATEGORY.id }),
      guestCategory('Подарок: ролл'),
      guestCategory('Подарок прошлого года', { isActive: false }),
    ],
    orderTypes: [
      orderType('Доставка курьером', 'DeliveryByCourier', { isDefault: true }),
      orderType('Самовывоз', 'DeliveryPickUp', { isDefault: true }),
      orderType('В зале', 'Common'),
      orderType('Доставка дронами', 'DeliveryByCourier', { isDeleted: true }),
    ],
    paymentTypes: [
      paymentType('CASH', 'Наличные', 'Cash'),
      paymentType('CARD', 'Картой курьеру', 'Card'),
      paymentType('SITE', 'Оплата на сайте', 'External'),
      paymentType('OLD', 'Талоны', 'External', { isDeleted: true }),
      paymentType('DRAFT', 'Черновик', 'Card', { id: null }),
    ],
    discounts: [
      discount('Скидка сайта', {}),
      discount('Самовывоз 10 %', { mode: 'Percent', percent: 10, minOrderSum: 500 }),
      discount('Старая акция', { mode: 'FixedSum', sum: 100, isDeleted: true }),
    ],
  };
}
