/** The topic, under either of its two names, but not both. */
import { confusingArguments } from '../../model/faults';

export function topicOf(params: { topic?: string | undefined; subject?: string | undefined }): string | undefined {
  if (params.topic !== undefined && params.subject !== undefined) throw confusingArguments('topic', 'subject');
  return params.topic ?? params.subject;
}
