import { Type, type Static, type TSchema } from 'typebox';
import { Author } from '../../access/schemas/author.ts';
import {
  IMPORT_STAGES,
  JOBS,
  PAUSABLE_JOBS,
  RUN_MODES,
  RUN_STATUSES,
  RUN_TRIGGERS,
} from '../rules/jobs.ts';
import {
  Count,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

const Coordinate = Nullable(Type.Number());
const NullableTimestamp = Nullable(Timestamp);

/** HTTP-108. */
export const MENU_OF_IMPORT = {
  externalMenuId: Type.Unsafe<number | null>({
    ...Nullable(Id),
    description: 'The number `id` of `GET /external-menus`. Only the job MENU has it.',
  }),
  externalMenuErpId: Type.Unsafe<string | null>({
    ...NullableText,
    description: 'Id of the external menu in the ERP. Only the job MENU has it.',
  }),
};

export const ErpOrganization = Named(
  'ErpOrganization',
  Type.Object({
    id: Id,
    erpId: Uuid,
    connectionId: Id,
    name: Type.String(),
    code: NullableText,
    address: NullableText,
    latitude: Coordinate,
    longitude: Coordinate,
    phone: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Telephone that staff have set.',
    }),
    timeZone: Type.Unsafe<string | null>({ ...NullableText, description: 'Time zone of the ERP.' }),
    effectiveTimeZone: Type.String({
      description: 'The zone that counts: that of staff, else that of the ERP or of the product.',
    }),
    synchronizedAt: Timestamp,
    inactiveAt: NullableTimestamp,
  }),
);

export type ErpOrganization = Static<typeof ErpOrganization>;

export const Terminal = Named(
  'Terminal',
  Type.Object({
    id: Id,
    erpId: Uuid,
    organizationId: Id,
    name: Type.String(),
    timeZone: NullableText,
    isAsleep: Type.Boolean(),
    synchronizedAt: Timestamp,
    inactiveAt: NullableTimestamp,
  }),
);

export type Terminal = Static<typeof Terminal>;

/** The ERP id may be the nil UUID, so it is opaque text. */
export const PriceCategory = Named(
  'PriceCategory',
  Type.Object({
    id: Id,
    erpId: Type.String({ description: 'Id that `priceCategoryId` of an external menu refers to.' }),
    connectionId: Id,
    name: Type.String(),
    synchronizedAt: Timestamp,
    inactiveAt: NullableTimestamp,
  }),
);

export type PriceCategory = Static<typeof PriceCategory>;

export const ExternalMenu = Named(
  'ExternalMenu',
  Type.Object({
    id: Id,
    erpId: Type.String(),
    connectionId: Id,
    name: Type.String(),
    isActive: Type.Boolean({ description: 'False when the ERP no longer lists it.' }),
    isEnabled: Type.Boolean({ description: 'True when the menu is imported and shown to guests.' }),
    organizationIds: Nullable(Type.Array(Id)),
    priceCategoryId: NullableText,
    priority: Type.Integer({
      description:
        'If two menus have a price for the same size, the menu with the lower number sets the price.',
    }),
    isAsync: Type.Boolean({
      description:
        'The ERP prepares the menu in the background, and the import polls until it is ready.',
    }),
    revision: Nullable(Type.Integer()),
    importedAt: NullableTimestamp,
    version: Type.Integer(),
  }),
);

export type ExternalMenu = Static<typeof ExternalMenu>;

export const ExternalMenuEdit = Named(
  'ExternalMenuEdit',
  Strict({
    version: Version,
    isEnabled: Type.Optional(Type.Boolean()),
    organizationIds: Type.Optional(
      Nullable(Type.Array(OrganizationId, { minItems: 1, maxItems: 1000 })),
    ),
    priceCategoryId: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    isAsync: Type.Optional(Type.Boolean()),
  }),
);

export type ExternalMenuEdit = Static<typeof ExternalMenuEdit>;

export const StopListEntry = Named(
  'StopListEntry',
  Type.Object({
    organizationId: Id,
    terminalId: Nullable(Id),
    terminalErpId: NullableText,
    itemErpId: Uuid,
    name: NullableText,
    role: Nullable(
      Type.String({
        description: 'DISH or MODIFIER. It is null for an item that no imported menu contains.',
      }),
    ),
    sizeErpId: Nullable(
      Type.String({ description: 'Size that is stopped. Null stops every size.' }),
    ),
    sizeName: NullableText,
    balance: Type.Number({ description: 'Remaining units. Below 1, the item is sold out.' }),
    isStopped: Type.Boolean(),
    sku: NullableText,
    addedAt: NullableTimestamp,
    synchronizedAt: NullableTimestamp,
  }),
);

export type StopListEntry = Static<typeof StopListEntry>;

const counts = <const N extends string>(name: string, ...names: N[]) =>
  Named(
    name,
    Type.Object(
      Object.fromEntries(names.map((entry) => [entry, Count])) as Record<N, typeof Count>,
    ),
  );

const counters = {
  categories: counts('CategoryCounts', 'created', 'updated'),
  items: counts('ItemCounts', 'created', 'updated', 'deleted'),
  prices: counts('PriceCounts', 'upserted', 'unchanged'),
  modifiers: counts('ModifierCounts', 'groups', 'links', 'global'),
};

const ImportCounters = Type.Object(counters);
export type ImportCounters = Static<typeof ImportCounters>;

const ObservedShrink = Named(
  'ObservedShrink',
  Type.Object(
    {
      before: Count,
      vanished: Count,
      percent: Type.Number({
        description:
          'The largest of three shares: of the items of the menu, of the prices of `organization`, and of `modifierGroups`.',
      }),
      thresholdPercent: Type.Number(),
      organization: Type.Optional(
        Nullable(
          Type.Object(
            { organizationId: Id, before: Count, vanished: Count, percent: Type.Number() },
            { description: 'The restaurant that would lose the largest share of its prices.' },
          ),
        ),
      ),
      modifierGroups: Type.Optional(
        Nullable(
          Type.Object(
            { before: Count, vanished: Count, percent: Type.Number() },
            {
              description:
                'Number of dish sizes with modifiers, and of those that would lose all of them.',
            },
          ),
        ),
      ),
    },
    {
      description:
        'Removals of the rejected import: items of the menu in a full import, prices of a restaurant and modifiers of dishes in every import.',
    },
  ),
);

export type ObservedShrink = Static<typeof ObservedShrink>;

const HeldBack = Named(
  'HeldBack',
  Type.Object({
    what: Words(['PRICES', 'MODIFIERS']),
    organizationId: Nullable(Id),
    name: NullableText,
    before: Count,
    vanished: Count,
    percent: Type.Number(),
  }),
);

export type HeldBack = Static<typeof HeldBack>;

export const Run = Named(
  'Run',
  Type.Object({
    id: Id,
    job: Words(JOBS),
    connectionId: Id,
    ...MENU_OF_IMPORT,
    organizationId: Type.Unsafe<number | null>({
      ...Nullable(Id),
      description: 'The restaurant that a plan is limited to.',
    }),
    mode: Words(RUN_MODES),
    trigger: Words(RUN_TRIGGERS),
    status: Words(RUN_STATUSES),
    reason: Nullable(
      Type.String({ description: 'Code of the reason why the run was skipped or failed.' }),
    ),
    detail: NullableText,
    requestedBy: Nullable(Author),
    canceledBy: Nullable(Author),
    startedAt: Timestamp,
    finishedAt: NullableTimestamp,
    organizations: Count,
    batches: Count,
    payloadBytes: Count,
    revisionFrom: Nullable(Type.Integer()),
    revisionTo: Nullable(Type.Integer()),
    ...counters,
    result: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Counters of the other jobs than MENU.',
    }),
    anomalies: Type.Array(
      Named(
        'Anomaly',
        Type.Object({ code: Type.String(), count: Count, samples: Type.Array(Type.String()) }),
      ),
    ),
    shrink: Nullable(ObservedShrink),
    heldBack: Type.Array(HeldBack, {
      description:
        'Removals that a successful import held back: prices of restaurants that would have lost too many, and modifiers of dishes that would have lost all. Staff can accept them.',
    }),
  }),
);

export type Run = Static<typeof Run>;

const counted = <S extends TSchema>(name: string, item: S, description: string) =>
  Named(
    name,
    Type.Object(
      { total: Count, items: Type.Array(item) },
      { description: `${description} At most 200 are listed.` },
    ),
  );

const PlannedItem = Named(
  'PlannedItem',
  Type.Object({ id: Uuid, role: Words(['DISH', 'MODIFIER']), name: Type.String() }),
);

export type PlannedItem = Static<typeof PlannedItem>;

const PlannedPrice = Named(
  'PlannedPrice',
  Type.Object({
    itemId: Uuid,
    name: Type.String(),
    sizeId: NullableText,
    organizationId: Id,
    from: Nullable(Money),
    to: Nullable(Money),
    percent: Nullable(Type.Number()),
  }),
);

export type PlannedPrice = Static<typeof PlannedPrice>;

const ImportPlan = Named(
  'ImportPlan',
  Type.Object(
    {
      ...counters,
      shrink: Named(
        'PlannedShrink',
        Type.Object({ ...ObservedShrink.properties, isSuspicious: Type.Boolean() }),
      ),
      created: counted('CreatedItems', PlannedItem, 'Items that would be new or return.'),
      deleted: counted('DeletedItems', PlannedItem, 'Items that would be deleted.'),
      priceChanges: counted(
        'PriceChanges',
        PlannedPrice,
        'Prices that would be added, changed or removed, the largest change first.',
      ),
      productsLeftWithoutVariant: counted(
        'ProductsLeftWithoutVariant',
        Named('ProductLeftWithoutVariant', Type.Object({ id: Id, name: Type.String() })),
        'Published products whose last bound dish would be deleted.',
      ),
    },
    { description: 'Changes of a full import. Only for runs with mode PLAN.' },
  ),
);

export type ImportPlan = Static<typeof ImportPlan>;

/** `batches` is null for jobs with one request. */
export const RunProgress = Named(
  'RunProgress',
  Type.Object({
    stage: Words(IMPORT_STAGES),
    batchesFetched: Count,
    batches: Nullable(Count),
    rows: Type.Integer({ minimum: 0, description: 'Rows that wait to be written together.' }),
  }),
);

export type RunProgress = Static<typeof RunProgress>;

export const RunDetail = Named(
  'RunDetail',
  Type.Object({ ...Run.properties, plan: Nullable(ImportPlan), progress: Nullable(RunProgress) }),
);

export type RunDetail = Static<typeof RunDetail>;

/** `scope`: the ERP's menu id for MENU, otherwise our connection id. */
export const NewRun = Named(
  'NewRun',
  Strict({
    job: Words(JOBS),
    scope: Type.String({ minLength: 1, maxLength: 100 }),
    mode: Type.Optional(Words(RUN_MODES)),
    connectionId: Type.Optional(Id),
    organizationId: Type.Optional({
      ...OrganizationId,
      description:
        'Only with mode PLAN: the plan contains the dishes and prices of this restaurant, by its number or the UUID of the ERP.',
    }),
  }),
);

export type NewRun = Static<typeof NewRun>;

export const StartedRun = Named('StartedRun', Type.Object({ runId: Id }));

export const ImportPause = Named(
  'ImportPause',
  Type.Object({
    id: Id,
    connectionId: Id,
    job: Words(PAUSABLE_JOBS),
    ...MENU_OF_IMPORT,
    reason: Type.String(),
    until: NullableTimestamp,
    createdBy: Nullable(Author),
    createdAt: Timestamp,
    endedBy: Nullable(Author),
    endedAt: NullableTimestamp,
  }),
);

export type ImportPause = Static<typeof ImportPause>;

export const NewPause = Named(
  'NewPause',
  Strict({
    connectionId: Id,
    job: Words(PAUSABLE_JOBS),
    externalMenuId: Type.Optional({
      ...Id,
      description: 'The number `id` of `GET /external-menus`. Only for the job MENU.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Reason that other operators see, also in Temporal.',
    }),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time at which the pause ends by itself.' }),
    ),
  }),
);

export type NewPause = Static<typeof NewPause>;
