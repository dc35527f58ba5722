import { useAction } from '../../data/action.ts';
import { call } from '../../data/read.ts';
import type { Product } from '../../data/records.ts';
import { announce } from '../../parts/toast.tsx';
import type { Values } from '../../pure/fields.ts';
import { needs, t } from '../../texts/texts.ts';

export function useProductEdit(product: Product): {
  save: (body: Values) => Promise<void>;
  reload: () => Promise<Product>;
  reason: string | null;
} {
  const edit = useAction('editProduct');
  return {
    async save(body) {
      await edit.run({ id: product.id }, body as never);
      announce(t('action.saved'));
    },
    reload: () => call('getProduct', [{ id: product.id }], {}),
    reason: needs(edit.lacks),
  };
}
