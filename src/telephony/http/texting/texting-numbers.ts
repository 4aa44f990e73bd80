/** Routes of a company's texting numbers and of opt-outs. */
import { routesFor } from '../../../kernel/http/route';
import { createOptOut, deleteOptOut } from '../../commands/texting/change-opt-outs';
import type { Caller } from '../../model/contacts/contact';
import { numberField } from '../../model/texting/phone-number';
import { listOptOuts, listTextNumbers } from '../../queries/texting/list-text-numbers';
import { paged, pageShape } from '../list-params';
import { optionalNumber, SAMPLE_OURS } from './texting-params';
import { optOut, optOuts, textNumbers } from '../../model/answers/texting';
import { noOptOut, notOurNumber } from '../../model/texting/texting-faults';
import { notOwner } from '../../model/faults';

const { get, post, del } = routesFor<Caller>();

const pair = { from_number: numberField, number: numberField } as const;

export const textNumberRoutes = [
  get('/texting/numbers', {
    summary: 'List the numbers your company texts from',
    answer: textNumbers,
    params: pageShape,
    run: ({ kernel, by, params }) => paged(params, (page) => listTextNumbers(kernel.mysql, by, page)),
  }),
  get('/texting/optouts', {
    summary: 'List opt-outs from texts, newest first',
    answer: optOuts,
    isExpensive: true,
    params: { ...pageShape, from_number: optionalNumber, number: optionalNumber },
    run: ({ kernel, by, params }) => {
      const filter = { ourNumber: params.from_number?.e164, theirNumber: params.number?.e164 };
      return paged(params, (page) => listOptOuts(kernel.mysql, by, { filter, page }));
    },
  }),
  post('/texting/optouts', {
    summary: 'Add an opt-out from texts',
    answer: optOut,
    refuses: [notOurNumber(SAMPLE_OURS)],
    status: 201,
    params: pair,
    run: ({ kernel, by, params }) =>
      createOptOut(kernel.transaction, by, { fromNumber: params.from_number, number: params.number }),
  }),
  del('/texting/optouts', {
    summary: 'Remove an opt-out by its two numbers',
    answer: optOut,
    refuses: [notOwner(), noOptOut()],
    params: pair,
    run: ({ kernel, by, params }) =>
      deleteOptOut(kernel.transaction, by, { fromNumber: params.from_number, number: params.number }),
  }),
  del('/texting/optouts/:optout_id', {
    summary: 'Remove an opt-out',
    answer: optOut,
    refuses: [notOwner(), noOptOut()],
    run: ({ kernel, by, params }) => deleteOptOut(kernel.transaction, by, params.optout_id),
  }),
];
