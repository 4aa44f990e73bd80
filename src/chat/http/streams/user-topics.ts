/** How a user wants to hear of a topic. */
import { jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { setTopicPolicy } from '../../commands/streams/set-topic-policy';
import { DONE } from '../../model/answers/envelope';
import { badRequest } from '../../model/faults';
import { invalidStreamId } from '../../model/streams/stream-faults';
import { isTopicPolicy, type TopicPolicy } from '../../model/streams/topic-policy';
import type { User } from '../../model/users/user';
import * as params from './stream-params';

const { post } = routesFor<User>();

const invalidPolicy = () => badRequest('Invalid visibility_policy');

function policyOf(value: number): TopicPolicy {
  if (!isTopicPolicy(value)) throw invalidPolicy();
  return value;
}

export const userTopicRoutes = [
  post('/user_topics', {
    summary: 'Mute, unmute or follow a topic, or none of these',
    answer: DONE,
    refuses: [invalidPolicy(), invalidStreamId()],
    params: { stream_id: params.id('stream_id'), topic: text, visibility_policy: jsonInteger },
    run: ({ kernel, by, params: { stream_id: streamId, topic, visibility_policy: policy } }) =>
      setTopicPolicy(kernel, by, { streamId, topic, policy: policyOf(policy) }),
  }),
];
