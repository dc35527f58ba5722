import { Type, type Static } from 'typebox';
import { Named, Nullable, NullableText } from '../../../kernel/pure/schemas.ts';

/** OPS-199. */
export const ConsoleConfig = Named(
  'ConsoleConfig',
  Type.Object({
    chainName: Type.String(),
    languages: Type.Array(Type.String(), {
      description: 'Codes of the languages of texts for staff.',
    }),
    signOn: Type.Object({
      isOn: Type.Boolean({
        description: 'True if staff can sign in through an identity provider.',
      }),
      startPath: Nullable(Type.String({ description: 'Path to open in the browser.' })),
    }),
    docsPath: Nullable(
      Type.String({
        description:
          'Path of the documentation with the manuals of the console. Null if it is not served.',
      }),
    ),
    mapTiles: Nullable(
      Type.Object(
        { url: Type.String(), attribution: NullableText },
        {
          description:
            'Background of maps. Null without an access token, and if none is configured.',
        },
      ),
    ),
    temporal: Nullable(
      Type.Object(
        { url: Type.String(), namespace: Type.String() },
        { description: "Temporal's UI. Null without an access token, and if none is configured." },
      ),
    ),
  }),
);

export type ConsoleConfig = Static<typeof ConsoleConfig>;
