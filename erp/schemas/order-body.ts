type Door = { flat?: string; entrance?: string; floor?: string; doorphone?: string };

export type ErpLegacyAddress = {
  type: 'legacy';
  street: { id: string } | { name: string; city: string };
  house: string;
  building?: string;
};

export type ErpCityAddress = { type: 'city'; line1: string };

export type ErpDeliveryPoint = {
  coordinates?: { latitude: number; longitude: number };
  address: (ErpLegacyAddress | ErpCityAddress) & Door;
  comment?: string;
};

type ErpModifier = { productId: string; productGroupId?: string; amount: number; price: number };
type ErpItemCommon = { productSizeId?: string; amount: number; comment?: string };

/** The ERP accepts a dish with a modifier scheme only as a compound. */
export type ErpItem = ErpItemCommon &
  (
    | { type: 'Product'; productId: string; price: number; modifiers: ErpModifier[] }
    | {
        type: 'Compound';
        primaryComponent: { productId: string; price: number; modifiers: ErpModifier[] };
        commonModifiers: ErpModifier[];
      }
  );

/** Rubles. */
export type ErpOrderBody = {
  organizationId: string;
  terminalGroupId: string | null;
  createOrderSettings: { checkStopList: boolean };
  order: {
    id: string;
    externalNumber: string;
    sourceKey: string;
    menuId?: string;
    priceCategoryId?: string;
    completeBefore: Temporal.PlainDateTime | null;
    phone: string;
    phoneExtension?: string;
    orderTypeId?: string;
    orderServiceType?: 'DeliveryByCourier' | 'DeliveryByClient';
    deliveryPoint?: ErpDeliveryPoint;
    comment?: string;
    marketingSourceId?: string;
    guests?: { count: number; splitBetweenPersons: boolean };
    customer: { type: 'one-time'; name: string };
    items: ErpItem[];
    payments: {
      paymentTypeKind: 'Cash' | 'Card';
      paymentTypeId: string;
      sum: number;
      isProcessedExternally: false;
    }[];
    discountsInfo?: { discounts: { type: 'RMS'; discountTypeId: string; sum: number }[] };
  };
};
