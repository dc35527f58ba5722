import type { ReactNode } from 'react';
import type {
  CheckoutAdjustment,
  CheckoutBlocker,
  CheckoutRepair,
  CheckoutVerdict,
  CheckoutWarning,
  PostedGiftChoice,
} from '@carte/client/storefront';
import { chooseGift } from '../cart.ts';
import { rubles } from '../format.ts';
import { canSignIn } from '../sign-in.ts';
import { t, textOfCode } from '../texts.ts';

/** The label of a repair that a button can perform; null for other repairs. */
const repairText = (action: string): string | null =>
  action === 'SIGN_IN' && !canSignIn ? null : textOfCode('repair', action);

type Finding = CheckoutBlocker | CheckoutWarning | CheckoutAdjustment;
type OnRepair = (repair: CheckoutRepair) => void;

/**
 * The result of preflight: problems that prevent the order, buttons that repair them, and the
 * total.
 */
export function Verdict({
  verdict,
  onRepair,
}: {
  verdict: CheckoutVerdict | null;
  onRepair: OnRepair;
}): ReactNode {
  return (
    <div id="verdict" role="status">
      {verdict !== null && (
        <>
          {findings(verdict.blockers, 'finding', onRepair)}
          {findings(verdict.adjustments, 'finding done', onRepair)}
          {findings(verdict.warnings, 'finding warning', onRepair)}
          {verdict.canSubmit && (
            <p>
              {t('checkout.toPay', {
                total: rubles(verdict.total.toPay),
                count: verdict.eta.minutes,
              })}
            </p>
          )}
        </>
      )}
    </div>
  );
}

const findings = (list: readonly Finding[], className: string, onRepair: OnRepair): ReactNode[] =>
  list.map((finding, at) => (
    <div key={`${className} ${finding.code} ${at}`} className={className}>
      <p>{finding.message}</p>
      <Repair repair={findRepair(finding)} onRepair={onRepair} />
    </div>
  ));

function findRepair(finding: Finding): CheckoutRepair | null {
  if (finding.code === 'SLOT_EXPIRED') return { action: 'CHOOSE_SLOT', slotId: finding.newSlotId };
  return ('repair' in finding ? finding.repair : undefined) ?? null;
}

/** A button for a repair. Shows nothing for actions that are newer than the shop. */
function Repair({
  repair,
  onRepair,
}: {
  repair: CheckoutRepair | null;
  onRepair: OnRepair;
}): ReactNode {
  if (repair === null) return null;
  if (repair.action === 'CHOOSE_GIFT') return <GiftChoice repair={repair} />;
  const text = repairText(repair.action);
  if (text === null) return null;
  return (
    <button type="button" data-key={`repair-${repair.action}`} onClick={() => onRepair(repair)}>
      {text}
    </button>
  );
}

type GiftRepair = Extract<CheckoutRepair, { action: 'CHOOSE_GIFT' }>;

/** A button for each alternative gift, and one that postpones the gift. */
function GiftChoice({
  repair: { compensationId, replacements },
}: {
  repair: GiftRepair;
}): ReactNode {
  const button = (key: string, text: string, choice: Omit<PostedGiftChoice, 'compensationId'>) => (
    <button
      key={key}
      type="button"
      data-key={key}
      onClick={() => void chooseGift({ compensationId, ...choice })}
    >
      {text}
    </button>
  );
  return (
    <p className="choices">
      {replacements.map(({ rewardCode, name }) =>
        button(`gift-${rewardCode}`, t('gift.instead', { name }), {
          choice: 'REPLACE',
          rewardCode,
        }),
      )}
      {button('gift-postpone', t('gift.postpone'), { choice: 'POSTPONE' })}
    </p>
  );
}
