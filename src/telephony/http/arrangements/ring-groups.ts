/** Routes of ring groups. Each change is an order to a PBX, as one of an extension is. */
import { z } from 'zod';
import { routesFor, type Route } from '../../../kernel/http/route';
import { addRingGroup, changeRingGroup, removeArrangement } from '../../commands/arrangements/order-arrangements';
import { ringGroup, ringGroups } from '../../model/answers/arrangements';
import { operation } from '../../model/answers/extensions';
import { STRATEGIES } from '../../model/arrangements/arrangement';
import type { Caller } from '../../model/contacts/contact';
import { groupInUse, groupTaken, invalid, noInstance, noRingGroup } from '../../model/faults';
import * as field from '../../model/fields';
import type { Ordering } from '../../parts';
import { getMade, listMade } from '../../queries/arrangements/arrangements';
import { answerOf, orderOptionsOf } from '../extensions/extension-orders';
import { paged, pageShape } from '../list-params';
import { destination, dialled, given, number, refusing } from './arrangement-params';

const { get, post, patch, del } = routesFor<Caller>();

const LIST = '/instances/:instance_uuid/ring-groups';
const ONE = `${LIST}/:ring_group_id` as const;
const kind = 'ring-group';

const shape = {
  name: field.name(100),
  /** As many as a PBX reads of a group. */
  members: z.array(dialled).min(1).max(50),
  strategy: z.enum(STRATEGIES),
  ring_time: z.int().min(1).max(300),
  prefix: field.line(50),
  no_answer: destination.nullable(),
} as const;

const CHANGED = { 200: ringGroup, 202: operation };
const memberless = invalid('members: 601 is a ring group');

export const ringGroupRoutes = (context: Ordering): Route<Caller>[] => [
  get(LIST, {
    summary: "List an instance's ring groups",
    answer: ringGroups,
    refuses: [noInstance()],
    params: pageShape,
    run: ({ kernel, by, params }) =>
      paged(params, (page) => listMade(kernel.mysql, by, { uuid: params.instance_uuid, kind, page })),
  }),
  get(ONE, {
    summary: 'Get a ring group',
    answer: ringGroup,
    refuses: [noRingGroup(), noInstance()],
    run: ({ kernel, by, params }) =>
      getMade(kernel.mysql, by, { uuid: params.instance_uuid, kind, id: params.ring_group_id }),
  }),
  post(LIST, {
    summary: 'Add a ring group; owner only; 202 if the client prefers not to wait',
    answer: { 201: ringGroup, 202: operation },
    refuses: [memberless, groupTaken(600), ...refusing],
    status: 201,
    waitsElsewhere: true,
    params: {
      ...shape,
      number,
      strategy: shape.strategy.default('ringall'),
      ring_time: shape.ring_time.default(20),
      prefix: shape.prefix.default(''),
      no_answer: shape.no_answer.default(null),
    },
    run: async ({ by, params: { instance_uuid: uuid, number: of, ...data }, incoming }) =>
      answerOf(await addRingGroup(context, by, { uuid, number: of, data, options: orderOptionsOf(incoming) })),
  }),
  patch(ONE, {
    summary: 'Change the given fields of a ring group; owner only',
    answer: CHANGED,
    refuses: [memberless, noRingGroup(), ...refusing],
    waitsElsewhere: true,
    params: {
      name: shape.name.optional(),
      members: shape.members.optional(),
      strategy: shape.strategy.optional(),
      ring_time: shape.ring_time.optional(),
      prefix: shape.prefix.optional(),
      no_answer: shape.no_answer.optional(),
    },
    run: async ({ by, params: { instance_uuid: uuid, ring_group_id: id, ...change }, incoming }) => {
      const request = { uuid, id, change: given(change), options: orderOptionsOf(incoming) };
      return answerOf(await changeRingGroup(context, by, request));
    },
  }),
  del(ONE, {
    summary: 'Remove a ring group; owner only',
    answer: CHANGED,
    refuses: [groupInUse(['number +15550100001']), noRingGroup(), ...refusing],
    waitsElsewhere: true,
    run: async ({ by, params: { instance_uuid: uuid, ring_group_id: id }, incoming }) =>
      answerOf(await removeArrangement(context, by, { uuid, id, kind, options: orderOptionsOf(incoming) })),
  }),
];
