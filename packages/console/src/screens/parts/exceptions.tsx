import { useRead } from '../../data/read.ts';
import { useUrl } from '../../data/url.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Block } from '../../parts/page.tsx';
import { toParams } from '../../pure/filters.ts';
import { t } from '../../texts/texts.ts';
import { AddException } from './add-exception.tsx';
import { ExceptionTable } from './exception-table.tsx';
import type { RestaurantProps } from './restaurant-props.ts';

/** Days that differ from the week, and stops of the intake. */
export function Exceptions({ id }: RestaurantProps) {
  const [search] = useUrl();
  const query = useRead('listScheduleExceptions', [{ id, ...toParams({}, search) }]);

  return (
    <Block
      title={t('setup.exceptions')}
      needs="listScheduleExceptions"
      actions={
        <>
          <LinkButton to="/exceptions">{t('exceptions.title')}</LinkButton>
          <AddException id={id} />
        </>
      }
    >
      <ExceptionTable query={query} empty={t('exceptions.none')} />
    </Block>
  );
}
