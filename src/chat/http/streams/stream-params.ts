/** Parameters of streams and subscriptions. */
import { z } from 'zod';
import { flag, jsonField, jsonInteger, jsonText, text } from '../../../kernel/http/params';
import { badRequest } from '../../model/faults';
import { isColor } from '../../model/streams/subscription';
import { DESCRIPTION_LENGTH } from '../../model/streams/stream';
import { lengthOf } from '../../model/text-length';
import { checked, isBoolean, isDict, isInteger, isListOf, isString, looseString, type Check } from '../json-checks';

const isHexColor: Check<string> = (place, value) => {
  const color = isString(place, value);
  if (!isColor(color)) throw badRequest(`${place} is not a valid hex color code`);
  return color;
};

const isDescription: Check<string> = (place, value) => {
  const description = isString(place, value);
  if (lengthOf(description) > DESCRIPTION_LENGTH)
    throw badRequest(`${place} is too long (limit: ${DESCRIPTION_LENGTH} characters)`);
  return description;
};

const isStringOrId: Check<string | number> = (place, value) =>
  typeof value === 'number' ? isInteger(place, value) : isString(place, value);

const isStringOrBoolean: Check<string | boolean> = (place, value) => {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  throw badRequest(`${place} is not an allowed_type`);
};

const array = jsonText({ type: 'array' });
const optional = { color: isHexColor, description: isDescription };

export const wantedStreams = (name: string) =>
  checked(name, isListOf(isDict({ name: isString }, optional, true))).meta(array);
/** As above, but ignores unknown keys. */
export const namedStreams = (name: string) =>
  checked(name, isListOf(isDict({ name: isString }, optional, false))).meta(array);
export const names = (name: string) => checked(name, isListOf(isString)).meta(array);
export const principals = checked('principals', isListOf(isStringOrId)).meta(array).default([]);
export const subscriptionData = checked(
  'subscription_data',
  isListOf(isDict({ stream_id: isInteger, property: isString, value: isStringOrBoolean }, {}, false)),
).meta(array);

export const description = looseString('description').transform((written) => isDescription('description', written));
export const newName = looseString('new_name');
export const id = (name: string) => checked(name, isInteger).meta({ type: 'integer' });

/** Null takes the stream out of its folder. */
export const folderId = jsonField(z.int().nullable()).optional();

export const postPolicy = jsonInteger
  .optional()
  .meta({ description: 'Who may write: 1 everybody, 2 administrators, 3 members who are no newcomers, 4 moderators' });

/** Options for streams that are created. */
export const creation = {
  invite_only: flag.default(false),
  is_announcement_only: flag.default(false),
  stream_post_policy: postPolicy,
  history_public_to_subscribers: checked('history_public_to_subscribers', (place, value) =>
    value === null ? undefined : isBoolean(place, value),
  )
    .optional()
    .meta({ type: 'boolean' }),
  folder_id: folderId,
  announce: flag.default(false),
  authorization_errors_fatal: flag.default(true),
  principals,
};

/** A value in JSON if it parses as such: `true` and `"#fff"`, but also a bare #fff. */
export const looseValue = text.transform((value): string | boolean => {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^".*"$/.test(value) ? value.slice(1, -1) : value;
});
