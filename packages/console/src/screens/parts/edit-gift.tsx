import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { call } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, type Field } from '../../parts/form.tsx';
import { announce } from '../../parts/toast.tsx';
import { code, needs, t } from '../../texts/texts.ts';

const fields = (): readonly Field[] => [
  {
    name: 'reason',
    kind: 'choice',
    label: t('form.reason'),
    isRequired: true,
    options: ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'].map((value) => [
      value,
      code('giftReason', value),
    ]),
  },
  { name: 'reasonComment', kind: 'text', label: t('gifts.comment') },
  { name: 'expiresAt', kind: 'moment', label: t('gifts.expiresAt'), hint: t('gift.foreverHint') },
];

type EditGiftProps = {
  gift: Data<'getCompensation'>;
  /** The reason why it cannot be edited. */
  reason: string | null;
};

/** Edits the reason, the comment and the term of a gift; an empty field is deleted. */
export function EditGift({ gift, reason }: EditGiftProps) {
  const edit = useAction('editCompensation');
  const [isOpen, setOpen] = useState(false);
  const { id } = gift;
  const close = () => setOpen(false);

  return (
    <>
      <Button reason={needs(edit.lacks) ?? reason} onPress={() => setOpen(true)}>
        {t('action.edit')}
      </Button>
      <Dialog title={t('action.edit')} isOpen={isOpen} onClose={close} isBox>
        <Form
          fields={fields()}
          record={gift}
          reload={() => call('getCompensation', [{ id }], {})}
          save={async (changed) => {
            // The API needs the reason in each edit.
            await edit.run({ id }, { reason: gift.reason, ...changed } as never);
            close();
            announce(t('action.saved'));
          }}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}
