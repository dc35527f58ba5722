import { useRead } from '../../data/read.ts';

/**
 * Returns the categories of the newest product with this ERP category, because a new dish usually
 * belongs to the same ones. Undefined until they are read.
 */
export function useSiblingCategories(
  erpCategoryId: string | undefined,
): readonly number[] | undefined {
  const hasCategory = erpCategoryId !== undefined;
  const sibling = { bound: true, size: 1, sort: ['firstSeenAt,desc' as const] };
  const items = useRead(
    'listErpItems',
    [{ product_category_id: erpCategoryId ?? '', ...sibling }],
    {
      enabled: hasCategory,
    },
  );

  const bound = items.data?.items[0]?.boundProduct;
  const hasSibling = bound !== null && bound !== undefined;
  const product = useRead('getProduct', [{ id: bound?.id ?? 0 }], { enabled: hasSibling });
  const isPending = (hasCategory && items.isPending) || (hasSibling && product.isPending);

  return isPending ? undefined : (product.data?.categories ?? []).map(({ id }) => id);
}
