/** A user's alert words. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import * as alertWords from '../../store/users/alert-words';

export const listAlertWords = (kernel: Pick<Kernel, 'mysql'>, by: User): Promise<string[]> =>
  alertWords.ofUser(kernel.mysql, by.id);
