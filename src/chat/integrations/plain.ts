/** Integrations that show what they receive as it is. */
import { coded } from '../model/faults';
import type { Integration } from './integration';
import { Payload } from './payload';

/** Services whose users write topic and content themselves. */
function topicAndContent(name: string, client: string): Integration {
  return {
    name,
    client,
    acceptsForms: true,
    format({ payload }) {
      const body = new Payload(payload);
      const topic = body.textOr('topic', body.textOr('subject', ''));
      const content = body.textOr('content', '');
      if (topic.trim() === '') throw empty('Topic', 'topic');
      if (content.trim() === '') throw empty('Content', 'content');
      return { topic, content };
    },
  };
}

const empty = (what: string, key: string) => coded('invalid', 'BAD_REQUEST', `${what} can't be empty`, { key });

export const ifttt = topicAndContent('ifttt', 'ZulipIFTTTWebhook');
export const zapier: Integration = { ...topicAndContent('zapier', 'ZulipZapierWebhook'), keyCheckType: 'auth' };

/** For services without an integration. */
export const json: Integration = {
  name: 'json',
  client: 'ZulipJSONWebhook',
  format: ({ payload }) => ({ topic: 'JSON', content: `\`\`\`json\n${JSON.stringify(payload, null, 2)}\n\`\`\`` }),
};
