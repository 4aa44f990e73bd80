/** The words a user wants to be told about. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import * as alertWords from '../store/alert-words';

export const listAlertWords = (kernel: Pick<Kernel, 'mysql'>, by: User): Promise<string[]> =>
  alertWords.ofUser(kernel.mysql, by.id);
