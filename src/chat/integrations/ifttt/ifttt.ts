/** IFTTT: topic and content as the user wrote them there. */
import { topicAndContent } from '../topic-and-content';

export const ifttt = topicAndContent('ifttt', 'ZulipIFTTTWebhook');
