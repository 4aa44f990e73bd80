/** Zapier: topic and content as the user wrote them there. */
import type { Integration } from '../integration';
import { topicAndContent } from '../topic-and-content';

export const zapier: Integration = { ...topicAndContent('zapier', 'ZulipZapierWebhook'), keyCheckType: 'auth' };
