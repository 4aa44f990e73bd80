/** The wire format of far ends. */
import { z } from 'zod';
import { FAR_END_KINDS } from '../../kernel/far-ends/far-end';
import type { FarEndField, FarEndKeeper } from '../../kernel/far-ends/keeper';
import type { Wire } from '../../kernel/text/wire';
import { stateOf, type FarEndReport } from './far-end';

const time = z.string().meta({ format: 'date-time' }).nullable();

export const farEnd = z
  .object({
    kind: z.enum(FAR_END_KINDS),
    id: z.string(),
    tenant: z.string().nullable(),
    tenant_name: z.string().nullable(),
    name: z.string(),
    state: z.enum(['failing', 'ok', 'unknown']).meta({ description: '`unknown` if it was not called yet' }),
    succeeded_at: time,
    failed_at: time,
    failing_since: time,
    failures: z.int().meta({ description: 'Calls that failed since the last success' }),
    error: z.string().meta({ description: 'Of the newest failure, even if calls succeeded since' }),
    work: z
      .object({ work_queue: z.string(), subject: z.string() })
      .meta({ description: 'Where its work waits; an empty subject means anywhere in the work queue' }),
  })
  .meta({ id: 'FarEnd' });
const fieldsOf = z.array(
  z
    .object({
      name: z.string(),
      kind: z.enum(['text', 'address', 'secret', 'lines']),
      is_required: z.boolean(),
    })
    .meta({ id: 'FarEndField' }),
);
const keptKind = z
  .object({
    kind: z.enum(FAR_END_KINDS),
    types: z.array(z.object({ type: z.string(), fields: fieldsOf })),
    test_fields: fieldsOf,
  })
  .meta({ id: 'FarEndKind' });
export const farEndsAnswer = z.object({
  kinds: z.array(keptKind).meta({ description: 'What can be connected, and what that takes' }),
  total: z.int(),
  far_ends: z.array(farEnd),
});

const values = z.record(z.string(), z.string());
export const keptFarEnd = z
  .object({ kind: z.enum(FAR_END_KINDS), id: z.string(), tenant: z.string(), type: z.string(), fields: values })
  .meta({ id: 'KeptFarEnd' });
export const connectedAnswer = z
  .object({
    kind: z.enum(FAR_END_KINDS),
    id: z.string(),
    shown: values.meta({ description: 'What the other side has to be told, such as the address of a webhook' }),
  })
  .meta({ id: 'ConnectedFarEnd' });
export const testAnswer = z
  .object({ is_well: z.boolean(), took_ms: z.number(), detail: z.string() })
  .meta({ id: 'FarEndTest' });

const fieldObject = ({ name, kind, isRequired }: FarEndField) => ({ name, kind, is_required: isRequired });
export const kindObject = ({ kind, types, testFields }: FarEndKeeper): Wire<typeof keptKind> => ({
  kind,
  types: types.map(({ type, fields }) => ({ type, fields: fields.map(fieldObject) })),
  test_fields: testFields.map(fieldObject),
});

export const farEndObject = (report: FarEndReport): Wire<typeof farEnd> => ({
  kind: report.kind,
  id: report.id,
  tenant: report.tenant,
  tenant_name: report.tenantName,
  name: report.name,
  state: stateOf(report),
  succeeded_at: report.succeededAt?.toISOString() ?? null,
  failed_at: report.failedAt?.toISOString() ?? null,
  failing_since: report.failingSince?.toISOString() ?? null,
  failures: report.failures,
  error: report.error,
  work: { work_queue: report.work.workQueue, subject: report.work.subject },
});
