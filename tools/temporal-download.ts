import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalVersion } from './temporal-binary.ts';

/**
 * Run as a process of its own, because the SDK's download can neither be watched nor canceled:
 * `temporal-download.ts <folder>` makes the SDK download the pinned version into the folder. The
 * SDK downloads only when it starts a server, so one is started and ended at once.
 */
const [downloadDir] = process.argv.slice(2);
if (downloadDir === undefined) throw new Error('usage: temporal-download.ts <folder>');
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version: `v${temporalVersion}` } },
});
await environment.teardown();
