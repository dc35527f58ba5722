import { createLog } from '../platform/log.ts';
import { workflowBundle } from './workflow-bundle.ts';

/**
 * Builds the bundle of all workflows in the place where workers expect it, to speed up their first
 * start, for an image.
 */
const folder = process.env['CARTE_DATA_DIR'];
if (folder === undefined) throw new Error('CARTE_DATA_DIR must name a folder');
process.stdout.write(
  `${await workflowBundle(folder, createLog({ service: 'prepare-bundle', level: 'info' }))}\n`,
);
