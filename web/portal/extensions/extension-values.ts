/** The values of the form of an extension, by the names under which the API speaks of them, and the body they become. */
import type { Extension } from '../wire';

export const NEW = {
  'data.id': '',
  'data.name': '',
  'data.description': '',
  'data.outboundcid': '',
  'user.id': '',
  location_id: '',
  purpose: 'ip-phone',
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
});

/** What is no number is left for the API to refuse. */
const numberOf = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text);

/** A number cannot be changed, and a person is named only where it is another one: to name one is the owner's matter. */
export function bodyOf(values: Values, before: Extension | undefined): object {
  const { 'user.id': userId, location_id, purpose } = values;
  const isUserChanged = userId !== (before?.user?.id ?? '');
  return {
    purpose,
    ...(location_id !== '' && { location_id }),
    ...(isUserChanged && { user: userId === '' ? null : { id: userId } }),
    data: {
      name: values['data.name'],
      description: values['data.description'],
      outboundcid: values['data.outboundcid'],
      ...(!before && { id: numberOf(values['data.id']) }),
    },
  };
}
