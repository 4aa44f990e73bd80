/** What refuses devices that are to receive pushes. */
import { Fault, type FaultKind } from '../fault';

const coded = (kind: FaultKind, code: string, message: string) => new Fault(kind, message, { code });

/** Products differ in what they call missing. */
export const noSuchDevice = (kind: 'invalid' | 'missing') =>
  coded(kind, 'NO_SUCH_PUSH_DEVICE', 'There is no such device');
export const pushesAreOff = () => coded('invalid', 'PUSHES_ARE_OFF', 'This server sends no push notifications');
export const badPushAddress = (field: string) =>
  coded('invalid', 'BAD_PUSH_ADDRESS', `${field} is not that of a device which this server may reach`);
export const deviceGone = () =>
  coded('invalid', 'PUSH_DEVICE_GONE', 'The push service no longer knows this device. Turn notifications on again.');
export const pushRefused = (reason: string) =>
  coded('invalid', 'PUSH_REFUSED', `The push service did not take it: ${reason}`);
