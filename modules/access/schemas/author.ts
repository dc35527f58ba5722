import { Type, type Static } from 'typebox';
import { Id, Named } from '../../../kernel/pure/schemas.ts';

/** Rule ACC-56. */
export const Author = Named(
  'Author',
  Type.Object(
    { id: Id, name: Type.String({ description: 'Current name of the user or API key.' }) },
    { description: 'A user or API key.' },
  ),
);

export type Author = Static<typeof Author>;
