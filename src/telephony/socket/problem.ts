/** What went wrong, as an acknowledgement: the same body that REST answers with. */
import { faultOf } from '../../kernel/http/faults';
import { statusOf } from '../../kernel/http/wire-format';
import { problemObject, type Problem } from '../model/problem';

export function problemOf(error: unknown): { readonly error: Problem } {
  const fault = faultOf(error);
  return { error: problemObject(statusOf(fault), fault.message) };
}
