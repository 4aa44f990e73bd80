/** Parameters of ring groups, numbers from outside and forwards. */
import { z } from 'zod';
import { anyOf } from '../../../kernel/text/plain-words';
import { DESTINATION_TYPES } from '../../model/arrangements/arrangement';
import { numberOf } from '../../model/extensions/call-forms';
import { MAX_NUMBER } from '../../model/extensions/extension-draft';
import * as faults from '../../model/faults';
import { pbxFailed } from '../refusals';

/** The number of an extension or a ring group. */
export const number = anyOf([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]).pipe(z.int().min(1).max(MAX_NUMBER));

export const destination = z.object({ type: z.enum(DESTINATION_TYPES), number: number.nullable().default(null) });

/** An extension or a number outside, as people write it. */
export const dialled = z
  .string()
  .max(40)
  .transform((text, context) => {
    const found = numberOf(text);
    if (found) return found;
    context.addIssue({ code: 'custom', message: 'is not a number' });
    return z.NEVER;
  })
  .meta({ type: 'string', example: '+15550100003' });

/** What every order of a ring group or a number may be refused with. */
export const refusing = [faults.notOwner(), faults.noInstance(), pbxFailed()];

/** The fields that a request has. */
export const given = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
