/**
 * Entry of the bundle: every workflow with the versioning behavior that its definition declares
 * (rule OPS-181). Temporal rejects a behavior from a worker without a version, such as those of
 * most tests.
 */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { WORKFLOWS } from '../modules/workflows.ts';
import * as workflows from './all.ts';

const functions: Record<string, (input: never) => Promise<unknown>> = workflows;
const isVersioned = () => Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
for (const { type, versioning } of WORKFLOWS)
  setWorkflowOptions(
    () => (isVersioned() ? { versioningBehavior: versioning } : {}),
    functions[type] as () => Promise<unknown>,
  );

export * from './all.ts';
