/** Lists carrier accounts, numbers and dead calls, for operators. */
import type { Kernel } from '../../../kernel/kernel';
import * as accounts from '../../store/texting/carrier-accounts';
import * as calls from '../../store/texting/carrier-calls';
import * as numbers from '../../store/texting/text-numbers';

export const listCarrierAccounts = ({ mysql }: Kernel): Promise<accounts.AccountLine[]> => accounts.list(mysql);

export const listTextNumberLines = ({ mysql }: Kernel): Promise<(numbers.NumberLine & { companyName: string })[]> =>
  numbers.lines(mysql);

export const listDeadCalls = ({ mysql }: Kernel): Promise<calls.DeadCall[]> => calls.dead(mysql);
