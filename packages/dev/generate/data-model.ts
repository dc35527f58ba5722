import { dataModel } from '../data-model.ts';
import { formatted, writeOrCheck } from '../generated-file.ts';
import { root } from '../stages.ts';

// `npm run carte -- generate data-model`

await writeOrCheck(
  'docs/data-model.md',
  await formatted('data-model.md', dataModel(root)),
  'data-model',
);
