import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalVersion } from './temporal-binary.ts';

/**
 * `temporal-download.ts <folder>`: makes the SDK download the pinned version, by starting a
 * server. A separate process, because the download cannot be canceled.
 */
const [downloadDir] = process.argv.slice(2);
if (downloadDir === undefined) throw new Error('usage: temporal-download.ts <folder>');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version: `v${temporalVersion}` } },
});
await environment.teardown();
