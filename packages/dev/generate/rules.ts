import { writeOrCheck } from '../generated-file.ts';
import { readRulesAndTests, ruleFaults, titleTags, withTestLinks } from '../rule-tests.ts';
import { root } from '../stages.ts';

// `npm run carte -- generate rules`: links rules to their tests.

const { pages, tests } = readRulesAndTests(root);
const tags = titleTags(tests);

const faults = ruleFaults(pages, tags);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

for (const { file, text } of pages) await writeOrCheck(file, withTestLinks(text, tags), 'rules');
