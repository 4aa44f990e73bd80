/** Routes of numbers from outside (DIDs): where their calls go. Each change is an order to a PBX. */
import { routesFor, type Route } from '../../../kernel/http/route';
import {
  addOutsideNumber,
  changeOutsideNumber,
  removeArrangement,
} from '../../commands/arrangements/order-arrangements';
import { outsideNumber, outsideNumbers } from '../../model/answers/arrangements';
import { operation } from '../../model/answers/extensions';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noInstance, noOutsideNumber, outsideNumberTaken } from '../../model/faults';
import * as field from '../../model/fields';
import { numberField } from '../../model/texting/phone-number';
import type { Ordering } from '../../parts';
import { getMade, listMade } from '../../queries/arrangements/arrangements';
import { answerOf, orderOptionsOf } from '../extensions/extension-orders';
import { paged, pageShape } from '../list-params';
import { destination, given, refusing } from './arrangement-params';

const { get, post, patch, del } = routesFor<Caller>();

const LIST = '/instances/:instance_uuid/numbers';
const ONE = `${LIST}/:number_id` as const;
const kind = 'number';

const CHANGED = { 200: outsideNumber, 202: operation };
const leadsNowhere = invalid('destination: there is no extension 199 on this instance');

export const outsideNumberRoutes = (context: Ordering): Route<Caller>[] => [
  get(LIST, {
    summary: "List an instance's numbers from outside, and where their calls go",
    answer: outsideNumbers,
    refuses: [noInstance()],
    params: pageShape,
    run: ({ kernel, by, params }) =>
      paged(params, (page) => listMade(kernel.mysql, by, { uuid: params.instance_uuid, kind, page })),
  }),
  get(ONE, {
    summary: 'Get a number from outside',
    answer: outsideNumber,
    refuses: [noOutsideNumber(), noInstance()],
    run: ({ kernel, by, params }) =>
      getMade(kernel.mysql, by, { uuid: params.instance_uuid, kind, id: params.number_id }),
  }),
  post(LIST, {
    summary: 'Lead the calls of a number from outside somewhere; owner only',
    answer: { 201: outsideNumber, 202: operation },
    refuses: [leadsNowhere, outsideNumberTaken(15550100001), ...refusing],
    status: 201,
    waitsElsewhere: true,
    params: { number: numberField, name: field.line(100).default(''), destination },
    run: async ({ by, params, incoming }) => {
      const data = { name: params.name, destination: params.destination };
      const number = Number(params.number.e164.slice(1));
      const request = { uuid: params.instance_uuid, number, data, options: orderOptionsOf(incoming) };
      return answerOf(await addOutsideNumber(context, by, request));
    },
  }),
  patch(ONE, {
    summary: 'Lead the calls of a number from outside somewhere else; owner only',
    answer: CHANGED,
    refuses: [leadsNowhere, noOutsideNumber(), ...refusing],
    waitsElsewhere: true,
    params: { name: field.line(100).optional(), destination: destination.optional() },
    run: async ({ by, params: { instance_uuid: uuid, number_id: id, ...change }, incoming }) => {
      const request = { uuid, id, change: given(change), options: orderOptionsOf(incoming) };
      return answerOf(await changeOutsideNumber(context, by, request));
    },
  }),
  del(ONE, {
    summary: 'Take a number from outside away; owner only',
    answer: CHANGED,
    refuses: [noOutsideNumber(), ...refusing],
    waitsElsewhere: true,
    run: async ({ by, params: { instance_uuid: uuid, number_id: id }, incoming }) =>
      answerOf(await removeArrangement(context, by, { uuid, id, kind, options: orderOptionsOf(incoming) })),
  }),
];
