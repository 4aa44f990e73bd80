/** Who may come in at the operators' doors: an operator by key, who changes nothing with a read-only one. */
import { addressGroup } from '../../kernel/address-group';
import { Fault } from '../../kernel/fault';
import type { RateLimit } from '../../kernel/http/rate-limit';
import type { Kernel } from '../../kernel/kernel';
import { crossSite, mayOnlyLook, unknownOperator } from '../model/faults';
import type { Operator } from '../model/operator';
import { findOperator } from '../queries/find-operator';

export interface Knock {
  readonly method: string;
  readonly ip: string;
  header(name: string): string;
}

/** What it takes to admit operators. */
export interface Access {
  readonly kernel: Kernel;
  /** Wrong keys from one address; nobody can guess one, but nobody should try for long either. */
  readonly wrongKeys: RateLimit;
}

export async function admitOperator({ kernel, wrongKeys }: Access, knock: Knock): Promise<Operator> {
  const operator = await findOperator(kernel, { authorization: knock.header('authorization'), from: knock.ip });
  if (!operator) {
    if (knock.header('authorization') !== '') await wrongKeys.count(addressGroup(knock.ip));
    throw unknownOperator();
  }
  if (isReading(knock)) return operator;
  if (operator.access !== 'full') throw mayOnlyLook(operator.name);
  if (isFromElsewhere(knock)) throw crossSite();
  return operator;
}

const isReading = ({ method }: Knock): boolean => method === 'GET' || method === 'HEAD';

/** Browsers send a password they know along with whatever another site makes them send; but they say which site it is. */
function isFromElsewhere(knock: Knock): boolean {
  const site = knock.header('sec-fetch-site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = knock.header('origin');
  return origin !== '' && hostOf(origin) !== knock.header('host');
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    throw new Fault('invalid', 'The Origin header is no address');
  }
}
