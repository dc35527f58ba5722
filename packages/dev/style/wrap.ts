import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stages.ts';
import { readSources } from './sources.ts';
import { wrapComments } from './wrap-comments.ts';

// `npm run carte -- comments:wrap`: wraps comments at 100 columns, which oxfmt does not.

for (const { file, text } of readSources(root, /\.(?:tsx?|mjs)$/)) {
  const wrapped = wrapComments(file, text);
  if (wrapped === text) continue;
  writeFileSync(join(root, file), wrapped);
  console.log(file);
}
