import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalVersion } from './temporal-binary.ts';

/**
 * `temporal-download.ts <folder>`: makes the SDK download the pinned version into the folder. A
 * separate process, because the SDK's download can neither be watched nor canceled. The SDK
 * downloads only when it starts a server, so one is started and ended.
 */
const [downloadDir] = process.argv.slice(2);
if (downloadDir === undefined) throw new Error('usage: temporal-download.ts <folder>');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version: `v${temporalVersion}` } },
});
await environment.teardown();
