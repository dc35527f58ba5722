import { Type, type Static } from 'typebox';
import {
  Codes,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';
import { Coordinates, DeliveryResolution, SentCoordinates } from './zones.ts';

const Part = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
const Door = Type.Optional(Nullable(Type.String({ maxLength: 50 })));

const door = {
  building: Door,
  flat: Door,
  entrance: Door,
  floor: Door,
  doorphone: Door,
  comment: Type.Optional(
    Nullable(Type.String({ maxLength: 500, description: 'Words for the courier.' })),
  ),
};

export const NewAddress = Named(
  'NewAddress',
  Strict({
    cartId: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The cart of a guest, to which the address belongs.',
      }),
    ),
    address: Type.Optional(
      Named(
        'NewAddressParts',
        Type.Object(
          { city: Part, street: Part, house: Part, ...door },
          {
            additionalProperties: false,
            description:
              '`city`, `street` and `house` name the place and come together; the rest leads to the door.',
          },
        ),
      ),
    ),
    coords: Type.Optional(
      Type.Unsafe<[number, number]>({
        ...SentCoordinates,
        description:
          'Longitude and latitude in degrees. Beside words the point counts only within 300 m of what the geocoder has found, and is no more exact than the words.',
      }),
    ),
  }),
);

export type NewAddress = Static<typeof NewAddress>;

const AddressId = Type.Unsafe<string>({
  ...Uuid,
  description: 'Name it as `fulfillment.addressId` at the checkout.',
});

export const AddedAddress = Named(
  'AddedAddress',
  Type.Object({ addressId: AddressId, ...DeliveryResolution.properties }),
);

export type AddedAddress = Static<typeof AddedAddress>;

const parts = [
  'city',
  'street',
  'house',
  'building',
  'flat',
  'entrance',
  'floor',
  'doorphone',
  'comment',
] as const;

/** City, street and house are null if only coordinates were sent. */
export const OwnAddress = Named(
  'OwnAddress',
  Type.Object({
    addressId: AddressId,
    address: Type.Object(
      Object.fromEntries(parts.map((part) => [part, NullableText])) as Record<
        (typeof parts)[number],
        typeof NullableText
      >,
    ),
    coords: Nullable(Coordinates),
    precision: Nullable(Codes('AddressPrecision')),
    createdAt: Timestamp,
  }),
);

export type OwnAddress = Static<typeof OwnAddress>;

export type AddressParts = OwnAddress['address'];
