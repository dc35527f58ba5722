import { Type, type Static } from 'typebox';
import { SHEET_TEXTS } from '../rules/product-sheet.ts';
import { Id, Named, Nullable, NullableText, Strict, Words } from '../../../kernel/pure/schemas.ts';

export const MOST_SHEET_BYTES = 16 * 1_048_576;
/** Excludes the header. */
export const MOST_SHEET_ROWS = 20_000;
export const MOST_CHANGED_PRODUCTS = 1_000;
export const MOST_SHEET_ERRORS = 50;

const IMPORT_MODES = ['PLAN', 'APPLY'] as const;

export const ProductTextsForm = Strict({
  mode: Words(IMPORT_MODES),
  plan: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The `plan` of the answer to PLAN. APPLY needs it.',
    }),
  ),
});

export type ProductTextsForm = Static<typeof ProductTextsForm>;

const Text = Words(SHEET_TEXTS);

const row = {
  row: Type.Integer({
    minimum: 1,
    description: 'Line of the sheet, counted from 1 as a spreadsheet shows it.',
  }),
};

export const ProductTextsImport = Named(
  'ProductTextsImport',
  Type.Object({
    mode: Words(IMPORT_MODES),
    plan: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Identifies the changes; null if the sheet has errors. Send it with APPLY.',
    }),
    rows: Type.Integer(),
    unchanged: Type.Integer({ description: 'Rows without a change.' }),
    changes: Type.Array(
      Type.Object({
        ...row,
        productId: Id,
        texts: Type.Array(Type.Object({ field: Text, before: NullableText, after: NullableText })),
      }),
    ),
    errorCount: Type.Integer({
      description: `All errors of the sheet; \`errors\` has the first ${MOST_SHEET_ERRORS}.`,
    }),
    errors: Type.Array(
      Type.Object({
        row: Nullable(row.row),
        field: Type.String({ description: 'Column of the sheet, or `file`.' }),
        code: Type.String(),
        message: Type.String({ description: 'Sentence in the language of `Accept-Language`.' }),
      }),
    ),
  }),
);

export type ProductTextsImport = Static<typeof ProductTextsImport>;
