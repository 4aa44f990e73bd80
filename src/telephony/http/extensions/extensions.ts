/** Routes that read extensions: lists, a user's own, and whether a number is free. */
import { z } from 'zod';
import { routesFor, type Route } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { MAX_NUMBER } from '../../model/extensions/extension-draft';
import type { Telephony } from '../../parts';
import {
  checkAssignment,
  getExtension,
  listAccountExtensions,
  listExtensions,
} from '../../queries/extensions/list-extensions';
import { paged, pageShape, word } from '../list-params';
import { anyOf } from '../../../kernel/text/plain-words';
import { assignmentAnswer, extension, extensions } from '../../model/answers/extensions';
import { invalid, noContact, noExtension, noExtensions, noInstance, tellsNoPhones } from '../../model/faults';

type Parts = Storage & Pick<Telephony, 'drivers'>;

const { get, post } = routesFor<Caller>();

const listShape = {
  ...pageShape,
  filter_by: z.enum(['unassigned', 'softphone', 'failed', 'unregistered', '']).optional(),
  by_user: word,
  search: word,
} as const;

const isOn = (text: string | undefined): boolean => ['on', 'true', '1', 'yes'].includes(text ?? '');

type Path = `/instances/:instance_uuid/${string}`;

/** The two lists differ in the meaning of `by_user`. */
function listRoute(telephony: Parts, path: Path, byUser: 'sorts' | 'filters'): Route<Caller> {
  return get(path, {
    summary: `List an instance's extensions; by_user=on ${byUser} by user`,
    answer: extensions,
    refuses: [noExtensions(), noInstance(), tellsNoPhones()],
    isExpensive: true,
    params: listShape,
    run: ({ by, params }) => {
      const query = {
        filterBy: params.filter_by === '' ? undefined : params.filter_by,
        search: params.search,
        byUser: byUser === 'sorts' && isOn(params.by_user),
        ofUsers: byUser === 'filters' && isOn(params.by_user),
      };
      return paged(params, (page) => listExtensions(telephony, by, { uuid: params.instance_uuid, query, page }));
    },
  });
}

const number = anyOf([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]).pipe(z.int().min(1).max(MAX_NUMBER));

export const extensionReads = (telephony: Parts) => [
  listRoute(telephony, '/instances/:instance_uuid/bulks/extensions', 'sorts'),
  listRoute(telephony, '/instances/:instance_uuid/extensions', 'filters'),
  ...(['bulks/extensions', 'extensions'] as const).map((list) =>
    get(`/instances/:instance_uuid/${list}/:extension_id`, {
      summary: 'Get an extension',
      answer: extension,
      refuses: [noExtension(), noInstance()],
      run: ({ by, params }) => getExtension(telephony, by, { uuid: params.instance_uuid, id: params.extension_id }),
    }),
  ),
  get('/account/:contact_id/extensions', {
    summary: "List a user's extensions",
    answer: extensions,
    refuses: [noContact()],
    params: { purpose: z.enum(['softphone', 'unassigned', '']).optional() },
    run: ({ by, params: { contact_id: contactId, purpose } }) =>
      listAccountExtensions(telephony, by, { contactId, purpose: purpose === '' ? undefined : purpose }),
  }),
  post('/instances/:instance_uuid/bulks/extensions/check', {
    summary: 'Check that a user has no extension and that a number is not taken',
    answer: assignmentAnswer,
    refuses: [
      invalid('There is an extension 101 on this instance already'),
      invalid('email: is required'),
      noInstance(),
    ],
    params: { email: z.string().min(1).max(254), id: number },
    run: ({ kernel, by, params }) =>
      checkAssignment(kernel.mysql, by, { uuid: params.instance_uuid, email: params.email.trim(), number: params.id }),
  }),
];
