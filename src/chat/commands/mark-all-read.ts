/** Marks everything a user has ever received as read. */
import type { Kernel } from '../../kernel/kernel';
import { commitPacket } from '../../kernel/mysql/packet';
import type { User } from '../model/user';
import { everythingPacket } from '../store/mark-packets';

export const markAllRead = (kernel: Kernel, by: User): Promise<void> => commitPacket(kernel, everythingPacket(by));
