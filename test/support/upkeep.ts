import type { UpkeepStepName } from '../../modules/mirror/messages/upkeep.ts';
import { upkeepSteps, type UpkeepDeps } from '../../activities/upkeep.ts';

export const runStep = async (deps: UpkeepDeps, name: UpkeepStepName): Promise<unknown> =>
  upkeepSteps(deps)[name](AbortSignal.timeout(60_000));
