/** Zapier: topic and content as the user wrote them there. */
import { topicAndContent } from '../topic-and-content';

export const zapier = topicAndContent('zapier', 'ZulipZapierWebhook');
