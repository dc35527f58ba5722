type Rule = { name: string; isBroken: (value: string) => boolean; must: string };

const SECRET_LENGTH = 24;
const PASSWORD_LENGTH = 12;

const parts = (value: string) => value.split(',').map((each) => each.trim());
/** This host, or a name without a dot, which only the own network resolves: credentials stay inside. */
const isNear = ({ hostname }: URL) => ['127.0.0.1', '[::1]'].includes(hostname) || /^[^.[]+$/.test(hostname);
const isPlain = (value: string) => /^http:/i.test(value);
const leavesInPlain = (value: string) => isPlain(value) && URL.canParse(value) && !isNear(new URL(value));

const not = (name: string, forbidden: string): Rule => ({
  name,
  isBroken: (value) => value === forbidden,
  must: `must not be ${forbidden}`,
});
const https = (name: string): Rule => ({ name, isBroken: isPlain, must: 'must be https' });
const httpsOutside = (name: string): Rule => ({
  name,
  isBroken: leavesInPlain,
  must: 'must be https, unless it names this host or a host of the own network without a dot,',
});

const RULES: readonly Rule[] = [
  { name: 'CARTE_FAILPOINT', isBroken: () => true, must: 'must not be set' },
  not('COOKIE_SECURE', 'off'),
  https('OIDC_ISSUER'),
  https('CUSTOMER_ISSUER'),
  not('DEMO', 'on'),
  not('DEMO_SHOP', 'on'),
  // What these URLs are sent: credentials of the ERP, notifications with their bearer token, addresses of guests, traces with the headers of their receiver.
  httpsOutside('ERP_URL'),
  httpsOutside('NOTIFY_WEBHOOK_URL'),
  httpsOutside('GEOCODER_URL'),
  httpsOutside('OTEL_EXPORTER_OTLP_ENDPOINT'),
  httpsOutside('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  {
    name: 'ADMIN_PASSWORD',
    isBroken: (value) => value.length < PASSWORD_LENGTH,
    must: `must have at least ${PASSWORD_LENGTH} characters`,
  },
  {
    name: 'WEBHOOK_SECRET',
    isBroken: (value) => parts(value).some((each) => each !== '' && each.length < SECRET_LENGTH),
    must: `must have at least ${SECRET_LENGTH} characters in each secret`,
  },
  { name: 'ADMIN_ORIGINS', isBroken: (value) => parts(value).includes('*'), must: 'must name every origin' },
];

/** What `production` does not allow of an environment, a sentence each and without values (rule OPS-24). Empty variables count as absent. */
export function productionProblems(source: Record<string, string | undefined>): string[] {
  return RULES.filter(({ name, isBroken }) => {
    const value = source[name];
    return value !== undefined && value !== '' && isBroken(value);
  }).map(({ name, must }) => `${name} ${must} in production`);
}
