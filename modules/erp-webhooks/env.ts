import { define, group, list, type ProductionRule } from '../../platform/env/variables.ts';

/** Two secrets are valid during a rotation, until the ERP sends the new one. */
const webhookSecrets = (input: string) => {
  const secrets = list(input);
  if (secrets.length > 2) throw new Error('must be one secret, or two separated by a comma');
  return secrets;
};

const SECRET_LENGTH = 24;

const LONG_SECRETS: ProductionRule = {
  isBroken: (value) => list(value).some((secret) => secret.length < SECRET_LENGTH),
  must: `must have at least ${SECRET_LENGTH} characters in each secret`,
};

export const WEBHOOKS_VARIABLES = group('Access', {
  WEBHOOK_SECRET: define(
    '',
    webhookSecrets,
    'Secret of the incoming webhook, or two separated by a comma during a change. If empty, every call is rejected',
    { secret: true, production: LONG_SECRETS },
  ),
});
