import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { t } from '../../texts/texts.ts';
import type { Product } from '../../data/records.ts';
import { useProductEdit } from './use-product-edit.ts';
import { PicturePicker } from './picture-picker.tsx';
import styles from './product.module.css';

/** Focal points are set in the library. */
export function ProductPictures({ product }: { product: Product }) {
  const { save, reason } = useProductEdit(product);
  const { main, hover, gallery } = product.images;
  const [error, setError] = useState<unknown>(null);
  const idOf = (image: { id: number } | null): number | null => image?.id ?? null;
  const set = (change: object) => {
    setError(null);
    void save({ version: product.version, ...change }).catch(setError);
  };

  return (
    <Block title={t('product.pictures')}>
      {reason !== null && <p className={css['muted']}>{reason}</p>}
      {error !== null && <ErrorState error={error} />}
      <div className={css['columns']}>
        <div className={css['stack']}>
          <h3>{t('product.mainImage')}</h3>
          {main !== null && <img src={main.url} alt={product.name} width="320" />}
          <PicturePicker value={idOf(main)} change={(id) => set({ mainImageId: id })} />
        </div>
        <div className={css['stack']}>
          <h3>{t('product.hoverImage')}</h3>
          {hover !== null && <img src={hover.url} alt={product.name} width="200" />}
          <PicturePicker value={idOf(hover)} change={(id) => set({ hoverImageId: id })} />
        </div>
        <div className={css['stack']}>
          <h3>{t('product.gallery')}</h3>
          <div className={styles['gallery']}>
            {gallery.map((image) => (
              <figure key={image.url}>
                <img src={image.url} alt={product.name} />
                <Button
                  small
                  look="quiet"
                  onPress={() =>
                    set({ gallery: gallery.filter((other) => other !== image).map(idOf) })
                  }
                >
                  {t('pictures.without')}
                </Button>
              </figure>
            ))}
          </div>
          <PicturePicker
            value={null}
            change={(id) => id !== null && set({ gallery: [...gallery.map(idOf), id] })}
          />
        </div>
      </div>
    </Block>
  );
}
