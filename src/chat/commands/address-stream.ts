/** Finds the stream a message is for, who hears it there, and whether the sender may write to it. */
import type { Kernel } from '../../kernel/kernel';
import type { Addressees } from '../model/addressees';
import { badRequest, noSuchStream, noSuchStreamId } from '../model/faults';
import { checkMayPost } from '../model/posting-policy';
import type { User } from '../model/user';
import { findHearing } from '../queries/find-hearing';
import { ensureTopic } from '../queries/find-topic';
import * as people from '../store/people';
import type { Addressed } from './compose-message';

export async function addressStream(kernel: Kernel, by: User, to: Addressees, topic: string): Promise<Addressed> {
  const [name] = to;
  if (name === undefined) throw badRequest('Missing stream');
  if (to.length > 1) throw badRequest('Cannot send to multiple streams');
  const hearing = await findHearing(kernel, by.realmId, name);
  if (!hearing) throw typeof name === 'number' ? noSuchStreamId(name) : noSuchStream(name);
  const { stream, hearers, audience } = hearing;
  const owner = by.botOwnerId === null ? undefined : (await people.byIds(kernel.mysql, by.realmId, [by.botOwnerId]))[0];
  checkMayPost(by, owner, stream, hearers);
  return {
    realmId: by.realmId,
    recipientId: stream.id,
    topicId: await ensureTopic(kernel, stream.id, topic),
    topic,
    destination: { type: 'stream', streamId: stream.id, name: stream.name },
    audience,
    hearers,
    isPublic: !stream.isPrivate,
    stream: { id: stream.id, version: stream.version },
  };
}
