import { importTexts } from '../../../modules/catalog/texts/import-texts.ts';
import {
  MOST_CHANGED_PRODUCTS,
  MOST_SHEET_BYTES,
  MOST_SHEET_ROWS,
  ProductTextsForm,
  ProductTextsImport,
} from '../../../modules/catalog/schemas/product-texts.ts';
import { READ_ONLY_COLUMNS, TEXT_COLUMNS } from '../../../modules/catalog/rules/product-sheet.ts';
import { defineRoute } from '../../http/route.ts';

export const importTextsRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/products/import-texts',
  operationId: 'importProductTexts',
  summary: 'Change texts of products by a sheet',
  description:
    'Send `mode: PLAN` first: it writes nothing and answers what would change, with the errors of each row. Then send the ' +
    'same file with `mode: APPLY` and the `plan` of that answer: it saves all changes or none. If the sheet or a product ' +
    'has changed since, the answer is `version-conflict`. Applying twice changes nothing. The file of `GET /exports/products` ' +
    'can be sent back as it is. The column `id` or `sku` names the product: `sku` is the article number of one of its dishes ' +
    'or sizes at the ERP, and a row with both is read by its `id`. The sheet has one or more of the columns ' +
    `${Object.values(TEXT_COLUMNS).join(', ')}; ${READ_ONLY_COLUMNS.join(', ')} are not read. A missing column keeps its texts, ` +
    `an empty cell clears one. At most ${MOST_SHEET_ROWS} rows and ${MOST_CHANGED_PRODUCTS} changed products. The separator ` +
    'is a comma, a semicolon or a tab. Short rows, blank columns and lines, and headers in any letter case are read.',
  tags: ['Products'],
  permission: 'catalog.write',
  files: {
    field: 'file',
    example: 'products.csv',
    maxBytes: MOST_SHEET_BYTES,
    types: ['text/csv'],
    description: 'The sheet.',
  },
  body: ProductTextsForm,
  responses: { 200: ProductTextsImport },
  problems: ['version-conflict', 'busy'],
  async handler({ files: [file], body, actor }, deps) {
    if (file === undefined) throw new Error('The form has no file although the route demands one');
    return { status: 200, body: await importTexts(deps, actor, { ...body, bytes: file.bytes }) };
  },
});
