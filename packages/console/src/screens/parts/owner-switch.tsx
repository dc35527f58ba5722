import { useAction } from '../../data/action.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { t } from '../../texts/texts.ts';

type Owner = { id: number; isActive: boolean; version: number };

type SwitchProps = {
  owner: Owner;
  activate: 'activateFranchisee' | 'activateLegalEntity';
  deactivate: 'deactivateFranchisee' | 'deactivateLegalEntity';
};

export function OwnerSwitch({ owner: { id, isActive, version }, ...operations }: SwitchProps) {
  const activate = useAction(operations.activate);
  const deactivate = useAction(operations.deactivate);

  return isActive ? (
    <ActionButton
      small
      look="danger"
      action={deactivate}
      label={t('connections.deactivate')}
      confirm={t('connections.deactivateText')}
      input={() => [{ id }, { version }]}
    />
  ) : (
    <ActionButton
      small
      action={activate}
      label={t('connections.activate')}
      input={() => [{ id }, { version }]}
    />
  );
}
