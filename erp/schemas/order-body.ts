type Door = { flat?: string; entrance?: string; floor?: string; doorphone?: string };
export type ErpLegacyAddress = {
  type: 'legacy';
  street: { id: string } | { name: string; city: string };
  house: string;
  building?: string;
};
export type ErpCityAddress = { type: 'city'; line1: string };

/** Delivery point of an order in the ERP's format. */
export type ErpDeliveryPoint = {
  coordinates?: { latitude: number; longitude: number };
  address: (ErpLegacyAddress | ErpCityAddress) & Door;
  comment?: string;
};

export type ErpItem = {
  type: 'Product';
  productId: string;
  productSizeId?: string;
  amount: number;
  price: number;
  comment?: string;
  modifiers: { productId: string; productGroupId?: string; amount: number; price: number }[];
};

/** Body of the ERP call that creates an order. Amounts are rubles. */
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
    orderTypeId?: string;
    orderServiceType?: 'DeliveryByCourier' | 'DeliveryByClient';
    deliveryPoint?: ErpDeliveryPoint;
    comment?: string;
    guests?: { count: number; splitBetweenPersons: boolean };
    customer: { type: 'one-time'; name: string };
    items: ErpItem[];
    payments: { paymentTypeKind: 'Cash' | 'Card'; paymentTypeId: string; sum: number; isProcessedExternally: false }[];
    discountsInfo?: { discounts: { type: 'RMS'; discountTypeId: string; sum: number }[] };
  };
};
