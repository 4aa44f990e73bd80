/** Route of calls that are begun by a click. */
import { routesFor, type Route } from '../../../kernel/http/route';
import { beginCall } from '../../commands/calls/begin-call';
import { operation } from '../../model/answers/extensions';
import { phoneCall } from '../../model/answers/phone-calls';
import type { Caller } from '../../model/contacts/contact';
import { emergencyByHand, noExtension, noInstance, notYourPhone, phoneAway } from '../../model/faults';
import type { Ordering } from '../../parts';
import { dialled } from '../arrangements/arrangement-params';
import { answerOf, orderOptionsOf } from '../extensions/extension-orders';
import { pbxFailed } from '../refusals';

const { post } = routesFor<Caller>();

export const phoneCallRoutes = (context: Ordering): Route<Caller>[] => [
  post('/instances/:instance_uuid/extensions/:extension_id/calls', {
    summary: "Call a number: the extension's telephone rings first; its user or the owner; no emergency numbers",
    answer: { 201: phoneCall, 202: operation },
    refuses: [emergencyByHand(), notYourPhone(), phoneAway(101), noExtension(), noInstance(), pbxFailed()],
    status: 201,
    waitsElsewhere: true,
    params: { to: dialled },
    run: async ({ by, params: { instance_uuid: uuid, extension_id: id, to }, incoming }) =>
      answerOf(await beginCall(context, by, { uuid, id, to, options: orderOptionsOf(incoming) })),
  }),
];
