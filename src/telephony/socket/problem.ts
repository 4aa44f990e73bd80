/** Converts an error to an acknowledgement with the same body as in REST. */
import { faultOf } from '../../kernel/http/faults';
import { statusOf } from '../../kernel/http/wire-format';
import { problemObject, type Problem } from '../model/problem';

export function problemOf(error: unknown): { readonly error: Problem } {
  const fault = faultOf(error);
  return { error: problemObject(statusOf(fault), fault.message) };
}
