/** What operators are told when something cannot be done. */
import { Fault } from '../../kernel/fault';

export const unknownOperator = () =>
  new Fault('unauthenticated', 'An operator’s key is required', {
    headers: { 'WWW-Authenticate': 'Bearer realm="Partyline operators"' },
  });
export const mayOnlyLook = (name: string) =>
  new Fault('forbidden', `${name} may look at everything and change nothing`);
export const crossSite = () => new Fault('forbidden', 'Another site may not change anything here');
export const noSuchDesk = (name: string, known: readonly string[]) =>
  new Fault('missing', `There is no desk named "${name}"; there are ${known.join(', ')}`);
export const noSuchItem = (desk: string, id: string) => new Fault('missing', `There is no "${id}" among ${desk}`);
export const noSuchQueue = (name: string) => new Fault('missing', `There is no queue named "${name}"`);
export const cannotBe = (what: string, id: string, state: string) =>
  new Fault('conflict', `"${id}" is ${state}: it cannot be ${what}`);
export const noSuchRemedy = (desk: string, remedy: string) =>
  new Fault('conflict', `There is nothing to ${remedy} among ${desk}: they can only be looked at`);
