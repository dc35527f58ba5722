/** Encrypted with the purpose ORDER. */
export type OrderPersonal = {
  customer: {
    name: string;
    phone: string;
    /** 1 to 10 digits. */
    phoneExtension?: string;
  };
  /** Null for pickup. */
  address: {
    city: string;
    street: string;
    house: string;
    building: string | null;
    flat: string | null;
    entrance: string | null;
    floor: string | null;
    doorphone: string | null;
    comment: string | null;
    /** Longitude and latitude. */
    coords: readonly [number, number] | null;
  } | null;
  comment: string | null;
  /** By line position. */
  lineComments: Readonly<Record<string, string>>;
  cancelReason?: string;
};
