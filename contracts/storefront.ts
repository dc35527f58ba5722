import { Type, type Static } from 'typebox';
import { Named, Nullable, NullableText, Uuid } from './schemas.ts';

/** An organization as guests see it; `id` is the UUID of the ERP. */
export const Organization = Named(
  'Organization',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    address: NullableText,
    coordinates: Nullable(Named('Coordinates', Type.Object({ latitude: Type.Number(), longitude: Type.Number() }))),
  }),
);
export type Organization = Static<typeof Organization>;
