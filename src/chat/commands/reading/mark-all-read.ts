/** Marks all messages that a user ever received as read. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { everythingPacket } from '../../store/reading/mark-packets';
import { commitMark } from './commit-mark';

export const markAllRead = (kernel: Kernel, by: User): Promise<void> => commitMark(kernel, by, everythingPacket(by));
