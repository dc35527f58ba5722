import { upkeepSteps, type UpkeepDeps } from '../../activities/upkeep.ts';

/** Runs one step of upkeep and returns its result. */
export async function runStep(deps: UpkeepDeps, name: string): Promise<unknown> {
  const step = upkeepSteps(deps)[name];
  if (step === undefined) throw new Error(`upkeep has no step ${name}`);
  return step(AbortSignal.timeout(60_000));
}
