/**
 * Sets the versioning behavior of the definitions (OPS-181). Temporal rejects it from a worker
 * without a version, as in most tests.
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
