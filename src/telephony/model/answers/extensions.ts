/** Schemas of extensions and of orders to a PBX. */
import { z } from 'zod';
import { BULK_MODES } from '../extensions/bulk';
import { FIELDS, type Field } from '../extensions/extension-fields';
import { OPERATION_OBJECTS } from '../extensions/operation';
import { forwards, outsideNumber, ringGroup } from './arrangements';
import { contact, time } from './company';
import { phoneCall } from './phone-calls';

const uuid = z.string().meta({ format: 'uuid' });

function valueOf({ type, values }: Field): z.ZodType<string | number | boolean> {
  if (values) return z.enum(values);
  if (type === 'boolean') return z.boolean();
  return type === 'integer' ? z.int() : z.string();
}

const data = z
  .object({
    ...Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, valueOf(field)])),
    id: z.int(),
    extension: z.int(),
    secret: z.string(),
    password: z.string(),
    voicemail_vmpwd: z.string(),
  })
  .meta({
    id: 'ExtensionData',
    description: "In FreePBX's format; credentials are masked unless the caller may see them",
  });

export const callerId = z.object({ name: z.string(), number: z.string(), value: z.string() }).meta({ id: 'CallerId' });
export const callerIds = z.array(callerId);

const registration = z.object({
  displayname: z.string(),
  label: z.string(),
  password: z.string(),
  server: z.array(z.object({ address: z.string() })),
  userid: z.int(),
});

const phone = z.object({ _id: z.string(), company: z.string(), data: z.object({ reg: z.array(registration) }) });

const warnings = z.array(z.string()).meta({
  description: 'Fields of data that the PBX does not support: those that an order sent, or all that are set',
});

export const extension = z
  .object({
    _id: z.string(),
    data,
    location_id: z.string(),
    outbound_callerid: callerId,
    pbx: uuid,
    phone: z.array(phone),
    extensions: z.array(z.unknown()),
    purpose: z.enum(['ip-phone', 'mobile-app']),
    reserved: z.object({ config_id: z.string(), to: z.string() }),
    subscriber: z.object({
      call_status: z.string(),
      extension_id: z.string(),
      state: z.enum(['AUTHENTICATED', 'UNAUTHENTICATED', 'UNKNOWN']),
    }),
    user: contact.nullable(),
    warnings,
    created: time,
    updated: time,
  })
  .meta({ id: 'Extension' });
export const extensions = z.array(extension);

export const assignmentAnswer = z.object({ email: z.string(), id: z.int(), available: z.literal(true) });

/** An order to a PBX. */
const operationShape = {
  id: z.string(),
  kind: z.enum(['create', 'update', 'delete']),
  object: z.enum(OPERATION_OBJECTS).meta({ description: 'What the order is about; of forwards, whose they are' }),
  object_id: z.string(),
  state: z.enum(['pending', 'running', 'succeeded', 'failed']),
  is_finished: z.boolean(),
  instance_uuid: uuid,
  extension_id: z.string().meta({ description: 'Empty if the order is not about an extension' }),
  number: z.int(),
  detail: z.string().nullable(),
  created: time,
  finished: time.nullable(),
};
export const operation = z.object(operationShape).meta({ id: 'Operation' });
export const operationAnswer = z.object({
  ...operationShape,
  result: z.union([extension, ringGroup, outsideNumber, forwards, phoneCall]).nullable(),
});

const row = z
  .object({
    row: z.int().meta({ description: 'Counted from 1' }),
    number: z.int().nullable(),
    action: z.enum(['create', 'update']).nullable(),
    status: z.enum(['ok', 'failed']),
    detail: z.string(),
    warnings,
    extension_id: z.string().nullable(),
  })
  .meta({ id: 'BulkRow' });

const bulkShape = {
  instance_uuid: uuid,
  mode: z.enum(BULK_MODES),
  total: z.int(),
  failed: z.int(),
  rows: z.array(row),
};

export const bulkOrder = z
  .object({
    id: z.string(),
    ...bulkShape,
    state: z.enum(['running', 'finished']),
    done: z.int(),
    created: time,
    updated: time,
  })
  .meta({ id: 'BulkOrder' });
export const bulkTrial = z.object({ dry_run: z.literal(true), ...bulkShape }).meta({ id: 'BulkTrial' });
