import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { Money, Status, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

type Explanation = Exclude<Data<'explainProduct'>, { kind: 'OVERVIEW' }>;
type ExplainedProps = { product: number; restaurant: number; zone: string };

/** Conditions of one dish in one restaurant, with source and time. */
export function Explained({ product, restaurant, zone }: ExplainedProps) {
  const query = useRead('explainProduct', [{ id: product, organization_id: restaurant }]);
  return (
    <Block title={t('missing.conditions')} needs="explainProduct">
      <Loaded query={query}>
        {(answer) => {
          const { facts, variants, snapshot } = answer as Explanation;
          return (
            <div className={css['stack']}>
              {snapshot.isBehind && <p className={css['notice']}>{t('missing.behind')}</p>}
              <Facts facts={facts} zone={zone} />
              {variants.map((variant) => (
                <div key={variant.id} className={css['stack']}>
                  <h3>
                    {variant.optionName ?? t('missing.onlyVariant')}{' '}
                    <Money amount={variant.price} />
                  </h3>
                  <Facts facts={variant.facts} zone={zone} />
                </div>
              ))}
            </div>
          );
        }}
      </Loaded>
    </Block>
  );
}

function Facts({ facts, zone }: { facts: Explanation['facts']; zone: string }) {
  return (
    <ul className={css['list']}>
      {facts.map(({ code: name, holds, value, price, at }, index) => (
        <li key={`${name} ${index}`}>
          {holds !== null && (
            <Status tone={holds ? 'good' : 'bad'}>
              {t(holds ? 'missing.holds' : 'missing.fails')}
            </Status>
          )}
          <span className={css['grow']}>
            {code('condition', name)}{' '}
            {holds === null && value !== null && <code>{String(value)}</code>}{' '}
            {price !== null && <Money amount={price} />}
          </span>
          {at !== null && <When at={at} zone={zone} />}
        </li>
      ))}
    </ul>
  );
}
