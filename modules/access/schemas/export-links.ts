import { Type, type Static } from 'typebox';
import { Named, Strict, Timestamp, Words } from '../../../kernel/pure/schemas.ts';

export const EXPORT_KINDS = ['orders', 'products', 'compensations'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const NewExportLink = Named(
  'NewExportLink',
  Strict({
    kind: Words(EXPORT_KINDS),
    query: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Parameters of the export, such as `status=FAILED&format=jsonl`.',
      }),
    ),
  }),
);

export const ExportLink = Named(
  'ExportLink',
  Type.Object({
    path: Type.String({ description: 'Path to open in the browser, on the host of the API.' }),
    expiresAt: Timestamp,
  }),
);

export type ExportLink = Static<typeof ExportLink>;
