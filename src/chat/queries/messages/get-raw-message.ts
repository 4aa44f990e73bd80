/** Returns a message's Markdown source, for editing or quoting. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { accessMessage } from './access-message';

export async function getRawMessage(kernel: Kernel, by: User, id: number): Promise<{ raw_content: string }> {
  return { raw_content: (await accessMessage(kernel, by, id)).content };
}
