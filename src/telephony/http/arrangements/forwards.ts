/** Routes of the forwards and the do-not-disturb of an extension. A change is an order to a PBX. */
import { z } from 'zod';
import { routesFor, type Route } from '../../../kernel/http/route';
import { anyOf } from '../../../kernel/text/plain-words';
import { changeForwards } from '../../commands/arrangements/order-forwards';
import { forwards } from '../../model/answers/arrangements';
import { operation } from '../../model/answers/extensions';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noExtension, noInstance, notYours } from '../../model/faults';
import type { Ordering } from '../../parts';
import { getForwards } from '../../queries/arrangements/arrangements';
import { answerOf, orderOptionsOf } from '../extensions/extension-orders';
import { pbxFailed } from '../refusals';
import { dialled, given } from './arrangement-params';

const { get, patch } = routesFor<Caller>();

const PATH = '/instances/:instance_uuid/extensions/:extension_id/forwards';

const nothing = z
  .string()
  .regex(/^$/)
  .transform(() => null);
/** Null or empty ends it. */
const forward = anyOf([dialled, nothing, z.null()]).optional();

export const forwardRoutes = (context: Ordering): Route<Caller>[] => [
  get(PATH, {
    summary: 'Get the forwards of an extension, and whether it is not to be disturbed',
    answer: forwards,
    refuses: [noExtension(), noInstance()],
    run: ({ kernel, by, params }) =>
      getForwards(kernel.mysql, by, { uuid: params.instance_uuid, id: params.extension_id }),
  }),
  patch(PATH, {
    summary: 'Change the given forwards of an extension; null ends one',
    answer: { 200: forwards, 202: operation },
    refuses: [
      invalid('always: the extension forwards to itself'),
      notYours('extension'),
      noExtension(),
      noInstance(),
      pbxFailed(),
    ],
    waitsElsewhere: true,
    params: { do_not_disturb: z.boolean().optional(), always: forward, busy: forward, no_answer: forward },
    run: async ({ by, params: { instance_uuid: uuid, extension_id: id, ...change }, incoming }) =>
      answerOf(
        await changeForwards(context, by, { uuid, id, change: given(change), options: orderOptionsOf(incoming) }),
      ),
  }),
];
