import { createLog } from '../platform/log.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Builds the workflow bundle for an image, to speed up the first start of workers. */
const folder = process.env['CARTE_DATA_DIR'];
if (folder === undefined) throw new Error('CARTE_DATA_DIR must name a folder');
process.stdout.write(
  `${await workflowBundle(folder, createLog({ service: 'prepare-bundle', level: 'info' }))}\n`,
);
