/** Routes of calls: the history, its export, calls under way, and how long calls are kept. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { media } from '../../../kernel/http/answers';
import { Download, Outgoing } from '../../../kernel/http/outgoing';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { changeRetention } from '../../commands/calls/forget-calls';
import { call, callRetention, calls, liveCalls } from '../../model/answers/calls';
import { noCall } from '../../model/calls/call-faults';
import { DIRECTIONS } from '../../model/calls/call-record';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noInstance, notOwner } from '../../model/faults';
import { exportCalls, getCall, listCalls, type AskedCalls } from '../../queries/calls/calls';
import { listLiveCalls } from '../../queries/calls/live-calls';
import { getRetention } from '../../queries/calls/retention';
import { word } from '../list-params';

const { get, patch } = routesFor<Caller>();

const MAX = 1000;
const USUAL = 100;

const moment = word
  .refine((text) => text === undefined || (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))), {
    message: 'must be a date, such as 2026-11-19 or 2026-11-19T08:00:00Z',
  })
  .transform((text) => (text === undefined ? undefined : new Date(text)));

const filterShape = {
  number: word,
  direction: z.enum(DIRECTIONS).optional(),
  answered: z.enum(['true', 'false']).optional(),
  from: moment,
  to: moment,
} as const;

interface Asked {
  readonly number?: string | undefined;
  readonly direction?: (typeof DIRECTIONS)[number] | undefined;
  readonly answered?: 'true' | 'false' | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const filterOf = ({ number, direction, answered, from, to }: Asked): AskedCalls => ({
  // A plus sign that is not escaped arrives as a blank.
  number: number?.replace(/^ /, '+').replaceAll(/[^0-9+*#]/g, ''),
  direction,
  isAnswered: answered === undefined ? undefined : answered === 'true',
  from,
  to,
});

/** Null keeps everything. Ten years are as good as for ever. */
const days = z.int().min(1).max(3650).nullable().optional();

export const callRoutes = [
  get('/calls/live', {
    summary: 'List the calls under way: all for the owner, otherwise those of your extensions',
    answer: liveCalls,
    run: ({ kernel, by }) => listLiveCalls(kernel.mysql, by),
  }),
  get('/calls/retention', {
    summary: 'Get how long your company keeps calls and recordings',
    answer: callRetention,
    run: ({ kernel, by }) => getRetention(kernel.mysql, by),
  }),
  patch('/calls/retention', {
    summary: 'Set how long your company keeps calls and recordings; owner only',
    answer: callRetention,
    refuses: [notOwner(), invalid('keep_recordings_days: must not be more than keep_days')],
    params: { keep_days: days, keep_recordings_days: days },
    run: ({ kernel, by, params }) => changeRetention(kernel, by, params),
  }),
  get('/instances/:instance_uuid/calls', {
    summary: 'List calls that have ended, newest first: all for the owner, otherwise those of your extensions',
    answer: calls,
    refuses: [noInstance()],
    isExpensive: true,
    params: {
      ...filterShape,
      cursor: word,
      limit: integer.refine((number) => number >= 1 && number <= MAX, `must be from 1 to ${MAX}`).default(USUAL),
    },
    run: async ({ kernel, by, params }) => {
      const { instance_uuid: uuid, cursor, limit, ...asked } = params;
      const page = { uuid, asked: filterOf(asked), cursor, limit };
      const { items, next } = await kernel.readFrom((db) => listCalls(db, by, page));
      return new Outgoing(items, next === undefined ? {} : { headers: { 'X-Next-Cursor': next } });
    },
  }),
  get('/instances/:instance_uuid/calls/export', {
    summary: 'Get calls as a CSV file, newest first; at most 100,000',
    answer: media('text/csv'),
    refuses: [noInstance()],
    isExpensive: true,
    params: filterShape,
    run: async ({ kernel, by, params: { instance_uuid: uuid, ...asked } }) =>
      new Download(
        Readable.from(await exportCalls(kernel.mysql, by, { uuid, asked: filterOf(asked) })),
        'text/csv; charset=utf-8',
        { 'Content-Disposition': 'attachment; filename="calls.csv"' },
      ),
  }),
  get('/instances/:instance_uuid/calls/:call_id', {
    summary: 'Get a call that has ended',
    answer: call,
    refuses: [noCall(), noInstance()],
    run: ({ kernel, by, params }) => getCall(kernel.mysql, by, { uuid: params.instance_uuid, id: params.call_id }),
  }),
];
