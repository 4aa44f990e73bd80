/** Streams: find, describe, change and archive. */
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { archiveStream } from '../../commands/streams/archive-stream';
import { deleteTopic } from '../../commands/messages/delete-messages';
import { setDefaultStream } from '../../commands/streams/default-streams';
import { updateStream } from '../../commands/streams/update-stream';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { accessStream } from '../../queries/streams/access-stream';
import { listMembers } from '../../queries/streams/list-subscriptions';
import { findTopics, listStreams, listTopics } from '../../queries/streams/list-streams';
import { shortText } from '../wire-params';
import * as params from './stream-params';
import { DONE } from '../../model/answers/envelope';
import {
  foundTopicsAnswer,
  streamIdAnswer,
  streamMembersAnswer,
  streamsAnswer,
  topicsAnswer,
} from '../../model/answers/streams';
import {
  invalidStreamId,
  invalidStreamName,
  notArchived,
  privateDefault,
  queryNotAuthorized,
  sameStreamName,
  streamNameTaken,
} from '../../model/streams/stream-faults';
import { noSuchFolder } from '../../model/streams/stream-folder';
import { adminsOnly } from '../../model/users/user-faults';

const { get, post, patch, del } = routesFor<User>();

export const streamRoutes = (chat: Sending) => [
  get('/streams', {
    summary: 'Get streams, filtered by the include_* parameters',
    answer: streamsAnswer,
    refuses: [queryNotAuthorized()],
    isExpensive: true,
    params: {
      include_public: flag.default(true),
      include_subscribed: flag.default(true),
      include_all_active: flag.default(false),
      include_default: flag.default(false),
      include_owner_subscribed: flag.default(false),
      exclude_archived: flag.default(true),
    },
    run: async ({ kernel, by, params: asked }) => ({ streams: await listStreams(kernel.mysql, by, asked) }),
  }),
  get('/get_stream_id', {
    summary: "Get a stream's id by its name",
    answer: streamIdAnswer,
    refuses: [invalidStreamName('nowhere')],
    params: { stream: text },
    run: async ({ kernel, by, params: { stream: name } }) => {
      const { stream } = await accessStream(kernel.mysql, by, name);
      return { stream_id: stream.id };
    },
  }),
  get('/streams/:stream_id/members', {
    summary: 'Get the email addresses of the subscribers of a stream',
    answer: streamMembersAnswer,
    refuses: [invalidStreamId()],
    isExpensive: true,
    params: { stream_id: integer },
    run: async ({ kernel, by, params: { stream_id: id } }) => ({
      subscribers: await listMembers(kernel.mysql, by, id),
    }),
  }),
  patch('/streams/:stream_id', {
    summary: 'Change the name, description, privacy or folder of a stream, or unarchive it; administrators only',
    answer: DONE,
    refuses: [
      adminsOnly(),
      invalidStreamId(),
      sameStreamName(),
      streamNameTaken('general'),
      notArchived(),
      noSuchFolder(),
    ],
    params: {
      stream_id: integer,
      description: params.description.optional(),
      new_name: params.newName.optional(),
      is_private: flag.optional(),
      is_announcement_only: flag.optional(),
      stream_post_policy: params.postPolicy,
      folder_id: params.folderId,
      is_archived: flag.optional().meta({ description: 'False unarchives the stream; true changes nothing' }),
      history_public_to_subscribers: params.creation.history_public_to_subscribers,
    },
    run: async ({ by, params: given }) => {
      await updateStream(chat, by, given.stream_id, {
        name: given.new_name,
        description: given.description,
        isPrivate: given.is_private,
        isAnnouncementOnly: given.is_announcement_only,
        postPolicy: given.stream_post_policy,
        isHistoryPublic: given.history_public_to_subscribers,
        folderId: given.folder_id,
        isUnarchived: given.is_archived === false,
      });
    },
  }),
  del('/streams/:stream_id', {
    summary: 'Archive a stream; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), invalidStreamId()],
    params: { stream_id: integer },
    run: ({ kernel, by, params: { stream_id: id } }) => archiveStream(kernel.transaction, by, id),
  }),
  post('/streams/:stream_id/delete_topic', {
    summary: 'Delete all messages of a topic; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), invalidStreamId()],
    params: { stream_id: integer, topic_name: text },
    run: ({ kernel, by, params: { stream_id: id, topic_name: name } }) => deleteTopic(kernel, by, id, name),
  }),
  get('/users/me/:stream_id/topics', {
    summary: "Get a stream's topics, newest first",
    answer: topicsAnswer,
    refuses: [invalidStreamId()],
    isExpensive: true,
    params: { stream_id: integer },
    run: async ({ kernel, by, params: { stream_id: id } }) => ({ topics: await listTopics(kernel.mysql, by, id) }),
  }),
  get('/users/me/topics', {
    summary: 'Find topics of your streams by words in their names, newest first',
    answer: foundTopicsAnswer,
    isExpensive: true,
    params: { query: shortText(200) },
    run: async ({ kernel, by, params: { query } }) => ({ topics: await findTopics(kernel.mysql, by, query) }),
  }),
  post('/default_streams', {
    summary: 'Make a stream a default stream for new users; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), invalidStreamName('nowhere'), privateDefault()],
    params: { stream_name: text },
    run: ({ kernel, by, params: { stream_name: name } }) => setDefaultStream(kernel.transaction, by, name, true),
  }),
  del('/default_streams', {
    summary: 'Remove a stream from the default streams; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), invalidStreamName('nowhere')],
    params: { stream_name: text },
    run: ({ kernel, by, params: { stream_name: name } }) => setDefaultStream(kernel.transaction, by, name, false),
  }),
];
