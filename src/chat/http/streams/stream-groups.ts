/** Groups of default streams that a new user may choose. */
import { integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import {
  createStreamGroup,
  editStreamsOfGroup,
  removeStreamGroup,
  updateStreamGroup,
} from '../../commands/streams/edit-stream-groups';
import { DONE } from '../../model/answers/envelope';
import {
  badGroupOp,
  groupTaken,
  invalidGroupName,
  isDefaultAlready,
  isInGroup,
  isNotInGroup,
  noSuchStreamGroup,
  nothingNewOfGroup,
  sameGroupName,
} from '../../model/organisation/organisation-faults';
import type { User } from '../../model/users/user';
import { looseString } from '../json-checks';
import { strings } from '../wire-params';
import { invalidStreamName, privateDefault } from '../../model/streams/stream-faults';
import { adminsOnly } from '../../model/users/user-faults';

const { post, patch, del } = routesFor<User>();

export const streamGroupRoutes = [
  post('/default_stream_groups/create', {
    summary: 'Create a group of default streams; administrators only',
    answer: DONE,
    refuses: [
      adminsOnly(),
      invalidGroupName(' '),
      groupTaken('newcomers'),
      invalidStreamName('nowhere'),
      privateDefault(),
      isDefaultAlready('general', 'newcomers'),
    ],
    params: { group_name: text, description: text, stream_names: strings },
    run: ({ kernel, by, params }) =>
      createStreamGroup(kernel.transaction, by, {
        name: params.group_name,
        description: params.description,
        streamNames: params.stream_names,
      }),
  }),
  patch('/default_stream_groups/:stream_group_id', {
    summary: 'Change the name or description of a group of default streams; administrators only',
    answer: DONE,
    refuses: [
      adminsOnly(),
      noSuchStreamGroup(99),
      nothingNewOfGroup(),
      sameGroupName('newcomers'),
      groupTaken('newcomers'),
    ],
    params: {
      stream_group_id: integer,
      new_group_name: looseString('new_group_name').optional(),
      new_description: looseString('new_description').optional(),
    },
    run: ({ kernel, by, params }) =>
      updateStreamGroup(kernel.transaction, by, params.stream_group_id, {
        name: params.new_group_name,
        description: params.new_description,
      }),
  }),
  patch('/default_stream_groups/:stream_group_id/streams', {
    summary: 'Add streams to a group of default streams, or remove them; administrators only',
    answer: DONE,
    refuses: [
      adminsOnly(),
      noSuchStreamGroup(99),
      badGroupOp(),
      isInGroup('general', 'newcomers'),
      isNotInGroup('general', 'newcomers'),
      invalidStreamName('nowhere'),
      privateDefault(),
      isDefaultAlready('general', 'newcomers'),
    ],
    params: { stream_group_id: integer, op: text, stream_names: strings },
    async run({ kernel, by, params: { stream_group_id: id, op, stream_names: streamNames } }) {
      if (op !== 'add' && op !== 'remove') throw badGroupOp();
      await editStreamsOfGroup(kernel.transaction, by, id, { op, streamNames });
    },
  }),
  del('/default_stream_groups/:stream_group_id', {
    summary: 'Remove a group of default streams; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchStreamGroup(99)],
    params: { stream_group_id: integer },
    run: ({ kernel, by, params }) => removeStreamGroup(kernel.transaction, by, params.stream_group_id),
  }),
];
