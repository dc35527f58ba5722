import type { CheckoutVerdict } from '../../modules/ordering/schemas/cart.ts';

type Verdict = Pick<CheckoutVerdict, 'blockers' | 'warnings' | 'adjustments'>;
type Finding = Verdict[keyof Verdict][number];
type Repair = Extract<Finding, { repair: object }>['repair'];

export function findingIn<C extends Finding['code']>(
  verdict: Verdict,
  code: C,
): Extract<Finding, { code: C }> {
  const found = [verdict.blockers, verdict.warnings, verdict.adjustments]
    .flat()
    .find((entry) => entry.code === code);
  if (found === undefined) throw new Error(`The verdict has no ${code}`);
  return found as Extract<Finding, { code: C }>;
}

export function repairIn<A extends Repair['action']>(
  verdict: Verdict,
  action: A,
): Extract<Repair, { action: A }> {
  const repairs = verdict.blockers.flatMap((blocker) =>
    'repair' in blocker && blocker.repair !== undefined ? [blocker.repair] : [],
  );
  const found = repairs.find((repair) => repair.action === action);
  if (found === undefined) throw new Error(`The verdict proposes no ${action}`);
  return found as Extract<Repair, { action: A }>;
}
