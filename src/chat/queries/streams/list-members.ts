/** The email addresses of a stream's subscribers. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import * as subscriptions from '../../store/streams/subscriptions';
import { accessStreamById } from './access-stream';

export async function listMembers({ mysql }: Kernel, by: User, streamId: number): Promise<string[]> {
  const { stream } = await accessStreamById(mysql, by, streamId, { admitAdmins: true });
  return (await subscriptions.emailsOf(mysql, [stream.id])).get(stream.id) ?? [];
}
