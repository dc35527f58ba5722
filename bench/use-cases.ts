import { report, type Row } from './support/report.ts';
import { measureProductList } from './support/use-cases/product-list.ts';
import { measureResolve } from './support/use-cases/resolve.ts';
import { measureSearch } from './support/use-cases/search.ts';
import { measureSheet } from './support/use-cases/sheet.ts';
import { measureSnapshot } from './support/use-cases/snapshot.ts';
import { measureStaff } from './support/use-cases/staff.ts';
import { measureUpload } from './support/use-cases/media.ts';

// `npm run carte -- bench use-cases` measures how long guests and staff wait in costly use cases,
// alternating with a baseline. BENCH_CASES selects use cases.
const CASES = {
  snapshot: measureSnapshot,
  search: measureSearch,
  'product-list': measureProductList,
  resolve: measureResolve,
  staff: measureStaff,
  upload: measureUpload,
  sheet: measureSheet,
};

const SELECTED = process.env['BENCH_CASES']?.split(',') ?? Object.keys(CASES);

const rows: Row[] = [];
for (const [name, measure] of Object.entries(CASES))
  if (SELECTED.includes(name)) rows.push(...(await measure()));
await report('use-cases', rows, {});
