import { useRead } from '../../data/read.ts';
import { usePickedRestaurant } from '../../data/restaurants.ts';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Status } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

/** Shows each rule of a gift, including those of the picked restaurant. */
export function GiftExplanation({ id }: { id: string }) {
  const restaurant = usePickedRestaurant();
  const query = useRead('explainCompensation', [
    { id, ...(restaurant === undefined ? {} : { organization_id: restaurant.id }) },
  ]);

  return (
    <Block title={t('gift.why')} needs="explainCompensation">
      <Loaded query={query}>
        {({ comes, rules }) => (
          <>
            <div>
              <Status tone={comes ? 'good' : 'bad'}>
                {t(comes ? 'gift.comes' : 'gift.stays')}
              </Status>
            </div>
            <ul className={css['list']}>
              {rules.map(({ rule, passed }) => (
                <li key={rule}>
                  <Status tone={passed ? 'good' : 'bad'}>
                    {t(passed ? 'missing.holds' : 'missing.fails')}
                  </Status>
                  <span className={css['grow']}>{code('giftRule', rule)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Block>
  );
}
