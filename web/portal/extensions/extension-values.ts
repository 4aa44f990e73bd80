/** The values of the extension form, by API field name, and the request body that they become. */
import type { Extension } from '../wire';

export const NEW = {
  'data.id': '',
  'data.name': '',
  'data.description': '',
  'data.outboundcid': '',
  'user.id': '',
  location_id: '',
  purpose: 'ip-phone',
  /** Set once the user has confirmed the loss of messages. Sent in the query, not in the body. */
  discard_voicemail: '',
};
export type Values = Record<keyof typeof NEW, string>;

export const valuesOf = ({ data, user, location_id, purpose }: Extension): Values => ({
  'data.id': String(data.id),
  'data.name': data.name,
  'data.description': data.description,
  'data.outboundcid': data.outboundcid,
  'user.id': user?.id ?? '',
  location_id,
  purpose,
  discard_voicemail: '',
});

const TEXTS = ['name', 'description', 'outboundcid'] as const;

/** Invalid numbers are passed on for the API to refuse. */
const numberOf = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text);

/**
 * Omits the number of an existing extension, which is fixed, an unchanged user, whom only the owner may set, and fields
 * that stay as they are, of which the PBX need not be told.
 */
export function bodyOf(values: Values, before: Extension | undefined): object {
  const { 'user.id': userId, location_id, purpose } = values;
  const isUserChanged = userId !== (before?.user?.id ?? '');
  return {
    purpose,
    ...(location_id !== '' && { location_id }),
    ...(isUserChanged && { user: userId === '' ? null : { id: userId } }),
    data: {
      ...Object.fromEntries(
        TEXTS.filter((name) => values[`data.${name}`] !== before?.data[name]).map((name) => [
          name,
          values[`data.${name}`],
        ]),
      ),
      ...(!before && { id: numberOf(values['data.id']) }),
    },
  };
}
